import warnings

import torch
from torch import nn

warnings.simplefilter("always")


class Two(nn.Module):
    def forward(self, a, b, flag=None):
        return a * b, a + b, "text"


m = Two()
m.register_full_backward_hook(lambda mod, gi, go: print("in", gi, "out", go))
a = torch.tensor([2.0], requires_grad=True)
b = torch.tensor([3.0])
p, s, t = m(a, b, "flag")
print(p.grad_fn, s.grad_fn, s.requires_grad, t)
p.backward(retain_graph=True)
(p + s).backward()
print(a.grad)
with torch.no_grad():
    print(m(a, b)[0].grad_fn)
print(m(b, b)[0].requires_grad)


class Dict(nn.Module):
    def forward(self, x):
        return {"y": x * 2}


d = Dict()
d.register_full_backward_hook(lambda *args: print("not called"))
out = d(a)["y"]
out.backward()
m = nn.Linear(1, 1)
m.register_full_backward_hook(lambda mod, gi, go: go)
try:
    m(b).sum().backward()
except RuntimeError as e:
    print(e)
try:
    m.register_backward_hook(print)
except RuntimeError as e:
    print(e)
m = nn.ReLU()
m.register_full_backward_hook(lambda mod, gi, go: None)
x = torch.ones(2, requires_grad=True)
y = m(x)
try:
    y.mul_(2)
except RuntimeError as e:
    print(e)
inplace = nn.Sequential(nn.Identity(), nn.ReLU(inplace=True))
inplace[1].register_full_backward_hook(lambda mod, gi, go: None)
try:
    inplace(x * 1)
except RuntimeError as e:
    print(e)
