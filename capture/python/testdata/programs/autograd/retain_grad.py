import warnings

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 2
z = y * y
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    print(y.grad)
    print(len(caught), str(caught[0].message)[:60])
y.retain_grad()
z.retain_grad()
y.retain_grad()
z.sum().backward(retain_graph=True)
print(x.grad, y.grad, z.grad, y.retains_grad)
z.sum().backward()
print(y.grad, z.grad)
a = x * 3
a.retain_grad()
b = a[0]
b.retain_grad()
a.mul_(2)
a.sum().backward()
print(a.grad, b.grad)
c = x * 3
c.retain_grad()
c.register_hook(lambda g: g * 10)
c.sum().backward()
print(c.grad)
x.retain_grad()
print(x.retains_grad)
try:
    torch.ones(1).retain_grad()
except RuntimeError as e:
    print(e)
