import torch
from torch.autograd import Function


class Scale(Function):
    @staticmethod
    def forward(ctx, x, factor, name, y=None):
        ctx.factor = factor
        ctx.name_of_it = name
        print(ctx.needs_input_grad)
        return x * factor

    @staticmethod
    def backward(ctx, grad):
        print(ctx.name_of_it, ctx.needs_input_grad)
        return grad * ctx.factor, None, None, None


class Several(Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2, 5, None, "text", [x]

    @staticmethod
    def backward(ctx, *grads):
        print(grads)
        return grads[0] * 2


x = torch.tensor([1.0, 2.0], requires_grad=True)
y = Scale.apply(x, 3.0, "three", torch.ones(2))
y.sum().backward()
print(x.grad, y.grad_fn.factor, y.grad_fn.name_of_it)
out = Several.apply(x)
print(out[0], out[1:4], out[0].grad_fn.next_functions)
out[0].sum().backward()
print(x.grad)
try:
    Scale.apply(x, factor=2.0, name="x")
except TypeError as e:
    print(e)
try:
    print(y.grad_fn.missing)
except AttributeError as e:
    print(e)
