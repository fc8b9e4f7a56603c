import torch
from torch.autograd import Function


def attempt(forward, backward=lambda ctx, g: g):
    cls = type("Made", (Function,), {"forward": staticmethod(forward), "backward": staticmethod(backward)})
    x = torch.ones(2, requires_grad=True)
    try:
        y = cls.apply(x)
        y.sum().backward()
        print(y, x.grad)
    except Exception as e:
        print(type(e).__name__, str(e)[:60])


def save_number(ctx, x):
    ctx.save_for_backward(5)
    return x * 1


def save_none(ctx, x):
    ctx.save_for_backward(None, x)
    return x * 1


def use_none(ctx, g):
    print(ctx.saved_tensors)
    return g


def return_number(ctx, x):
    return 5


def save_twice(ctx, x):
    ctx.save_for_backward(x)
    ctx.save_for_backward(x * 2)
    return x * 1


attempt(save_number)
attempt(save_none, use_none)
attempt(save_twice, use_none)
attempt(return_number)


class Uncaught(Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2


Uncaught.apply(torch.ones(1, requires_grad=True)).backward()
