import torch

a = torch.ones(3, requires_grad=True)
b = torch.tensor([2.0, 3.0], requires_grad=True)
x = a * 2
x[1:] = b
print(x, x.grad_fn.name())
(x * torch.tensor([1.0, 10.0, 100.0])).sum().backward()
print(a.grad, b.grad)
y = torch.zeros(2, 2)
y[0] = b
y[[1], [0]] = b[0] * 3
print(y, y.requires_grad, y.grad_fn.name())
y.sum().backward()
print(b.grad)
z = a.clone()
v = z[0:2]
v *= 5
v[0] = 9
print(z, z.grad_fn.name(), v.grad_fn.name())
z.sum().backward()
print(a.grad)
s = (a * 1)
t = s.exp()
s[0] = 0
t.sum().backward()
s2 = a * 1
u = s2.sin()
s2[0] = 0
u.sum().backward()
