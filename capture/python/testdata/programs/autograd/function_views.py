import torch
from torch.autograd import Function


class Identity(Function):
    @staticmethod
    def forward(ctx, x):
        return x

    @staticmethod
    def backward(ctx, grad):
        return grad * 10


class Row(Function):
    @staticmethod
    def forward(ctx, x):
        return x[0]

    @staticmethod
    def backward(ctx, grad):
        return torch.stack([grad, torch.zeros_like(grad)])


class Two(Function):
    @staticmethod
    def forward(ctx, x):
        return x[0], x[1]

    @staticmethod
    def backward(ctx, a, b):
        return torch.stack([a, b])


x = torch.ones(2, 2, requires_grad=True)
y = Identity.apply(x)
print(y is x, y._is_view(), y.grad_fn.name(), x.is_leaf)
y.sum().backward()
print(x.grad)
r = Row.apply(x)
print(r._is_view(), r.grad_fn.name())
try:
    r.add_(1)
except RuntimeError as e:
    print(e)
a, b = Two.apply(x * 1)
print(a.output_nr, b.output_nr)
try:
    a.mul_(2)
except RuntimeError as e:
    print(e)
