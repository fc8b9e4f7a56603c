import torch
from torch import nn

torch.manual_seed(0)


class Scale(nn.Module):
    def forward(self, x, *, by=2.0):
        print("forward", x.tolist(), by)
        return x * by


m = Scale()
x = torch.ones(2)
h1 = m.register_forward_pre_hook(lambda mod, args: print("pre", type(args).__name__, len(args)))
h2 = m.register_forward_pre_hook(lambda mod, args: args[0] + 1)
h3 = m.register_forward_pre_hook(lambda mod, args, kwargs: (args, {"by": kwargs.get("by", 1) * 10}), with_kwargs=True)
h4 = m.register_forward_pre_hook(lambda mod, args: print("first"), prepend=True)
print(m(x, by=3.0))
h5 = m.register_forward_hook(lambda mod, args, out: print("post", args, out))
h6 = m.register_forward_hook(lambda mod, args, out: out.sum())
h7 = m.register_forward_hook(lambda mod, args, kwargs, out: print("kw", kwargs, out), with_kwargs=True)
h8 = m.register_forward_hook(lambda mod, args, out: print("prepended", out), prepend=True)
print(m(x))
print(len(m._forward_hooks), len(m._forward_pre_hooks), len(m._forward_hooks_with_kwargs))
for h in (h1, h2, h3, h4, h5, h6, h7, h8):
    h.remove()
print(len(m._forward_hooks), len(m._forward_pre_hooks), len(m._forward_hooks_with_kwargs))
print(m(x))
with m.register_forward_hook(lambda mod, args, out: out * 0):
    print(m(x))
print(m(x), m.forward(x))
m.register_forward_pre_hook(lambda mod, args, kwargs: 5, with_kwargs=True)
try:
    m(x)
except RuntimeError as e:
    print(e)
features = {}
net = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
for name, layer in net.named_children():
    layer.register_forward_hook(lambda mod, args, out, name=name: features.update({name: out.detach()}))
out = net(torch.ones(1, 2))
print({k: tuple(v.shape) for k, v in features.items()}, out.grad_fn)
