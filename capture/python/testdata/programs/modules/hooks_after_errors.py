import warnings

import torch
from torch import nn

warnings.simplefilter("always")


class Fails(nn.Module):
    def forward(self, x):
        raise ValueError("forward failed")


m = Fails()
m.register_forward_hook(lambda mod, args, out: print("never"))
m.register_forward_hook(lambda mod, args, out: print("always", args, out), always_call=True)
m.register_forward_hook(lambda mod, args, kw, out: print("kwargs", kw), always_call=True, with_kwargs=True)
try:
    m(torch.ones(1))
except ValueError as e:
    print(e)


def bad(mod, args, out):
    raise RuntimeError("hook failed")


h = m.register_forward_hook(bad, always_call=True)
try:
    m(torch.ones(1))
except ValueError as e:
    print(e)
h.remove()
ok = nn.ReLU()
calls = []
ok.register_forward_hook(lambda mod, args, out: calls.append("a"), always_call=True)
ok.register_forward_hook(bad)
ok.register_forward_hook(lambda mod, args, out: calls.append("b"), always_call=True)
try:
    ok(torch.ones(1))
except RuntimeError as e:
    print(e, calls)
g = nn.modules.module.register_module_forward_hook(lambda mod, args, out: print("global", out), always_call=True)
try:
    m(torch.ones(1))
except ValueError as e:
    print(e)
g.remove()
print(len(m._forward_hooks_always_called))
