import torch
from torch.autograd import Function


class F(Function):
    @staticmethod
    def forward(ctx, x, y):
        return x * 2


def backward(result):
    class G(F):
        @staticmethod
        def backward(ctx, grad):
            return result(grad)

    x = torch.ones(2, requires_grad=True)
    try:
        G.apply(x, x).sum().backward()
        print(x.grad)
    except Exception as e:
        print(type(e).__name__, e)


backward(lambda g: g)
backward(lambda g: (g, g, g))
backward(lambda g: (g, g, None))
backward(lambda g: (g, 5))
backward(lambda g: (g, torch.ones(3)))
backward(lambda g: (g, None))
backward(lambda g: [g, g])
backward(lambda g: (g.double(), g))
backward(lambda g: 1 / 0)
x = torch.ones(2, requires_grad=True)
for f in (
    lambda: F.apply(x, x).sum().backward(),
    lambda: Function.apply(x),
    lambda: F()(x, x),
    lambda: F.apply(x),
):
    try:
        f()
    except Exception as e:
        print(type(e).__name__, e)
