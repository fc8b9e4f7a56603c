# A Function with two results uses only the gradient of the first.
# want: wrong
import torch


class Polar(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        s, c = a.sin(), a.cos()
        ctx.save_for_backward(s, c)
        return s, c

    @staticmethod
    def backward(ctx, gs, gc):
        s, c = ctx.saved_tensors
        return gs * c  # good: return gs * c - gc * s


torch.manual_seed(10)
a = torch.randn(5, requires_grad=True)
r = torch.ones(5, requires_grad=True)
target = torch.randn(2, 5)
for _ in range(2):
    a.grad = r.grad = None
    y, x = Polar.apply(a)
    loss = ((r * x - target[0]) ** 2 + (r * y - target[1]) ** 2).sum()
    loss.backward()
    with torch.no_grad():
        a -= 0.05 * a.grad
        r -= 0.05 * r.grad
