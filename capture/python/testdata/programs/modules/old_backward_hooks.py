import warnings

import torch
from torch import nn

warnings.simplefilter("always")
m = nn.ReLU()
h = m.register_backward_hook(lambda mod, gi, go: print(type(mod).__name__, gi, go))
x = torch.tensor([1.0, -1.0], requires_grad=True)
m(x).sum().backward()
print(x.grad)
try:
    m.register_full_backward_hook(print)
except RuntimeError as e:
    print(e)
h.remove()
m.register_backward_hook(lambda mod, gi, go: (gi[0] * 2,))
x.grad = None
m(x).sum().backward()
print(x.grad)


class Deep(nn.Module):
    def forward(self, x):
        return (x * 2).exp()


d = Deep()
d.register_backward_hook(lambda mod, gi, go: print("deep", len(gi), len(go)))
d(x).sum().backward()


class Pair(nn.Module):
    def forward(self, x):
        return x * 2, x + 1


p = Pair()
p.register_backward_hook(lambda mod, gi, go: print("pair", len(gi), len(go)))
sum(t.sum() for t in p(x)).backward()


class Nested(nn.Module):
    def forward(self, x):
        return [[x * 2]]


n = Nested()
n.register_backward_hook(lambda *a: None)
print(n(x)[0][0].grad_fn)
n = Deep()
n.register_backward_hook(lambda *a: None)
print(n(x=x).requires_grad)
print(d(x.detach()).grad_fn)
