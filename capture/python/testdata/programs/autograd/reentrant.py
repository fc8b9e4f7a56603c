import torch
from torch.autograd import Function


class Inner(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        with torch.enable_grad():
            y = x.detach().requires_grad_()
            y.pow(2).sum().backward()
        return y.grad * g


x = torch.tensor([1.0, 2.0], requires_grad=True)
Inner.apply(x * 1).sum().backward()
print(x.grad)
w = torch.ones(2, requires_grad=True)


def hook(g):
    (w * 3).sum().backward()
    return g


x.grad = None
y = x * 2
y.register_hook(hook)
y.sum().backward()
print(x.grad, w.grad)


def failing(g):
    (w * 3).backward()


z = x * 2
z.register_hook(failing)
try:
    z.sum().backward()
except RuntimeError as e:
    print(e)
(x * 2).sum().backward()
print(x.grad)


class Deep(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x.detach().requires_grad_()
        with torch.enable_grad():
            ctx.y = ctx.x - 1
        return ctx.y.detach()

    @staticmethod
    def backward(ctx, g):
        if ctx.x[0] < 0:
            return g
        with torch.enable_grad():
            Deep.apply(ctx.y).sum().backward()
        return ctx.y.new_ones(2) * 7


v = torch.tensor([5.0, 5.0], requires_grad=True)
Deep.apply(v).sum().backward()
print(v.grad)
