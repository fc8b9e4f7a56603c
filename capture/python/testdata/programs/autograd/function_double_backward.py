import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class Cube(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        print("grad mode", torch.is_grad_enabled())
        return 3 * x**2 * grad


class Once(Cube):
    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        print("grad mode", torch.is_grad_enabled())
        return 3 * x**2 * grad


x = torch.tensor([1.0, 2.0], requires_grad=True)
(g,) = torch.autograd.grad(Cube.apply(x).sum(), x, create_graph=True)
print(g, g.grad_fn.name())
(h,) = torch.autograd.grad(g.sum(), x, create_graph=True)
print(h)
(k,) = torch.autograd.grad(h.sum(), x)
print(k)
Once.apply(x).sum().backward()
print(x.grad)
(g,) = torch.autograd.grad(Once.apply(x).sum(), x, create_graph=True)
print(g.requires_grad)
try:
    g.sum().backward()
except RuntimeError as e:
    print(e)
