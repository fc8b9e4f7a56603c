import torch

x = torch.ones(3, requires_grad=True)
h = x * 2
y = h.exp() + h * h
kept = h._version
with torch.no_grad():
    h.copy_(torch.zeros(3))
print(kept, h._version, h)
try:
    y.sum().backward()
except RuntimeError as e:
    print(e)
b = torch.zeros(3)
z = b * x
b.copy_(x)
print(b, b._version)
try:
    z.sum().backward()
except RuntimeError as e:
    print(e)
b.sum().backward()
print(x.grad)
c = torch.zeros(2, 3)
c[0].copy_(x * 3)
c.sum().backward()
print(c, x.grad)
