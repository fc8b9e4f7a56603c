import torch
import torch.autograd.forward_ad as fwAD
from torch.autograd import Function


class Square(Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_forward(x, y)
        ctx.save_for_backward(x, y)
        return x * x * y

    @staticmethod
    def jvp(ctx, dx, dy):
        x, y = ctx.saved_tensors
        print("jvp", dx, dy)
        return 2 * x * y * dx + x * x * dy

    @staticmethod
    def backward(ctx, grad):
        x, y = ctx.saved_tensors
        return 2 * x * y * grad, x * x * grad


class Without(Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2


x, y = torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0])
with fwAD.dual_level():
    out = Square.apply(fwAD.make_dual(x, torch.ones(2)), y)
    print(fwAD.unpack_dual(out))
    out = Square.apply(x, fwAD.make_dual(y, torch.ones(2)))
    print(fwAD.unpack_dual(out).tangent)
    try:
        Without.apply(fwAD.make_dual(x, torch.ones(2)))
    except NotImplementedError as e:
        print(e)
try:
    with fwAD.dual_level():
        Square.apply(fwAD.make_dual(x, torch.ones(3)), y)
except RuntimeError as e:
    print(e)
