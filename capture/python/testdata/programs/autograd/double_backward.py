import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = (x**3).sum()
(g,) = torch.autograd.grad(y, x, create_graph=True)
(g**2).sum().backward()
print(x.grad)
x.grad = None
y = (x**3).sum()
y.backward(create_graph=True)
print(x.grad, x.grad.requires_grad, x.grad.grad_fn.name())
penalty = x.grad.norm()
x.grad = None
penalty.backward()
print(x.grad)
a = torch.tensor(0.5, requires_grad=True)
d = torch.tanh(a)
for order in range(4):
    (d,) = torch.autograd.grad(d, a, create_graph=True)
    print(order + 1, d)
w = torch.randn(2, 2, generator=torch.Generator().manual_seed(0)).requires_grad_()
h = torch.autograd.functional.hessian(lambda w: (w @ w).trace() ** 2, w)
print(torch.allclose(h.reshape(4, 4), h.reshape(4, 4).T))
b = torch.ones(2, requires_grad=True)
(g,) = torch.autograd.grad((b * 3).sum(), b, create_graph=True)
print(g.requires_grad)
try:
    g.sum().backward()
except RuntimeError as e:
    print(e)
