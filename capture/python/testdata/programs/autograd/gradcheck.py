import torch
from torch.autograd import Function, gradcheck, gradgradcheck


class Wrong(Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return g * 3


class Constant(Wrong):
    @staticmethod
    def backward(ctx, g):
        return torch.ones_like(g) * 2


x = torch.tensor([0.5, 1.5], dtype=torch.float64, requires_grad=True)
y = torch.tensor([2.0, 3.0], dtype=torch.float64, requires_grad=True)
print(gradcheck(lambda a, b: a * b.sin(), (x, y)), gradgradcheck(lambda a, b: a * b.sin(), (x, y)))
print(gradcheck(torch.sin, x, check_forward_ad=True), gradgradcheck(torch.sin, x, check_fwd_over_rev=True))
print(gradcheck(lambda a: (a * 2, a.sum()), x), gradcheck(lambda a: (a > 0).double(), x))
print(gradcheck(Wrong.apply, x, raise_exception=False))
for run in (
    lambda: gradcheck(Wrong.apply, x),
    lambda: gradcheck(Constant.apply, x),
    lambda: gradcheck(torch.sin, torch.ones(2)),
    lambda: gradcheck(torch.sin, torch.ones(1, dtype=torch.float64).expand(3).requires_grad_()),
    lambda: gradcheck(torch.sin, x, check_backward_ad=False),
    lambda: gradcheck(lambda a: a.detach() * 2, x),
):
    try:
        print(run())
    except Exception as e:
        print(type(e).__name__, e)
