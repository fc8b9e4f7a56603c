import torch

x = torch.ones(2, requires_grad=True)
y = x * 1
v = y[:1]
d = y.detach()
print(y._version, v._version, d._version)
y.add_(1)
print(y._version, v._version, d._version)
d.mul_(2)
v.zero_()
print(y._version, y.data._version)
y.data.add_(5)
print(y._version, y)
torch.autograd.graph.increment_version(y)
print(y._version)
torch.autograd.graph.increment_version([y, d])
print(y._version)
z = y * y
with torch.autograd._unsafe_preserve_version_counter(y) if hasattr(torch.autograd, "_unsafe_preserve_version_counter") else torch.no_grad():
    pass
y += 1
try:
    z.sum().backward()
except RuntimeError as e:
    print(e)
a = x.exp()
a.add_(1)
try:
    a.sum().backward()
except RuntimeError as e:
    print(e)
b = x * 2
c = b + 1
b.mul_(3)
c.sum().backward()
print(x.grad)
w = torch.ones(2)
u = x * w
w.detach().add_(1)
try:
    u.sum().backward()
except RuntimeError as e:
    print(e)
