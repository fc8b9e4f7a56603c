import torch
from torch.autograd import Function


class Split(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2, x * 3, x > 1

    @staticmethod
    def backward(ctx, a, b, c):
        print("grads", a, b, c)
        return a * 2 + b * 3


class Bare(Split):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        return x * 2, x * 3

    @staticmethod
    def backward(ctx, a, b):
        print("grads", a, b)
        return a * 2


class Marked(Function):
    @staticmethod
    def forward(ctx, x):
        values, indices = x.sort()
        ctx.mark_non_differentiable(indices)
        ctx.save_for_backward(indices)
        return values, indices

    @staticmethod
    def backward(ctx, g, _):
        (indices,) = ctx.saved_tensors
        out = torch.zeros_like(g)
        out[indices] = g
        return out


x = torch.tensor([3.0, 1.0, 2.0], requires_grad=True)
a, b, c = Split.apply(x)
print(a, b, c, a.output_nr, b.output_nr, c.requires_grad)
b.sum().backward()
print(x.grad)
a, b = Bare.apply(x)
a.sum().backward()
values, indices = Marked.apply(x)
print(values, indices, indices.requires_grad)
(values * torch.tensor([1.0, 10.0, 100.0])).sum().backward()
print(x.grad)
