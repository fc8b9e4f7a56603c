import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
(x * 2).sum().backward()
first = x.grad
(x * 3).sum().backward()
print(x.grad is first, first, first._version)
x.grad = None
(x * 2).sum().backward()
print(first, x.grad)
x.grad = torch.full((2,), 10.0)
(x * 2).sum().backward()
print(x.grad)
g = torch.ones(2)
y = x * 1
x.grad = None
y.backward(g)
g.add_(5)
print(x.grad)
x.grad = None
z = x.sum()
z.backward()
print(x.grad, x.grad.stride(), x.grad.is_contiguous())
w = torch.ones(2, 3, requires_grad=True)
w.t().matmul(torch.ones(2, 1)).sum().backward()
print(w.grad, w.grad.stride())
t = torch.ones(3, 2).t().requires_grad_()
(t * 2).sum().backward()
print(t.grad.stride())
a = torch.ones(1, requires_grad=True)
b = a * 2
b.retain_grad()
(b + b * b).backward()
print(a.grad, b.grad)
x.grad.zero_()
print(x.grad)
del x.grad
print(x.grad)
