import torch
from torch.autograd import Function


class Double(Function):
    @staticmethod
    def forward(ctx, x):
        x.mul_(2)
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, grad):
        return grad * 2


class Forgot(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.clone()

    @staticmethod
    def backward(ctx, grad):
        return grad


a = torch.tensor([1.0, 2.0], requires_grad=True)
b = a * 3
v = b._version
c = Double.apply(b)
print(c is b, b, b._version - v, b.grad_fn.name())
b.sum().backward()
print(a.grad)
try:
    Double.apply(a)
except RuntimeError as e:
    print(e)
try:
    Forgot.apply(a * 1)
except RuntimeError as e:
    print(e)
base = a * 1
view = base[:1]
Double.apply(view)
print(base, base.grad_fn.name(), view.grad_fn.name())
base.sum().backward()
print(a.grad)
