import torch
from torch.autograd import Function


class Exp(Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(y)
        print("forward", ctx.needs_input_grad, torch.is_grad_enabled())
        return y

    @staticmethod
    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        print("backward", grad, torch.is_grad_enabled())
        return grad * y


torch.manual_seed(0)
x = torch.tensor([0.0, 1.0], requires_grad=True)
y = Exp.apply(x)
print(y, y.grad_fn.name(), type(y.grad_fn).__name__, y.grad_fn.next_functions[0][0].name())
y.sum().backward()
print(x.grad, torch.allclose(x.grad, x.detach().exp()))
try:
    y.sum().backward()
except RuntimeError as e:
    print(e)
print(torch.autograd.gradcheck(Exp.apply, torch.rand(3, dtype=torch.float64, requires_grad=True)))
with torch.no_grad():
    z = Exp.apply(x)
print(z, z.requires_grad)
print(Exp.apply(torch.ones(1)).grad_fn)
