import torch
from torch.autograd import Function


class Mul(Function):
    @staticmethod
    def forward(x, y, k=2):
        return x * y * k

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, y, k = inputs
        ctx.save_for_backward(x, y)
        ctx.k = k
        print(len(inputs), output, torch.is_grad_enabled())

    @staticmethod
    def backward(ctx, grad):
        x, y = ctx.saved_tensors
        return grad * y * ctx.k, grad * x * ctx.k, None


torch.manual_seed(0)
a = torch.tensor([1.0, 2.0], requires_grad=True)
b = torch.tensor([3.0, 4.0], requires_grad=True)
Mul.apply(a, b).sum().backward()
print(a.grad, b.grad)
Mul.apply(a, b, k=5).sum().backward()
print(a.grad, b.grad)
try:
    Mul.apply(a)
except TypeError as e:
    print(e)
x = torch.rand(2, dtype=torch.float64, requires_grad=True)
y = torch.rand(2, dtype=torch.float64, requires_grad=True)
print(torch.autograd.gradcheck(lambda x, y: Mul.apply(x, y, 1), (x, y)))
print(torch.autograd.gradgradcheck(lambda x, y: Mul.apply(x, y, 1), (x, y)))
