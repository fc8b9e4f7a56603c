# The gradient of a broadcast bias is a sum over the batch, not a mean.
# want: wrong
import torch


class Affine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, shift):
        ctx.save_for_backward(x, scale)
        return x * scale + shift

    @staticmethod
    def backward(ctx, g):
        x, scale = ctx.saved_tensors
        return g * scale, (g * x).sum(0), g.mean(0)  # good: return g * scale, (g * x).sum(0), g.sum(0)


torch.manual_seed(3)
scale = torch.ones(4, requires_grad=True)
shift = torch.zeros(4, requires_grad=True)
x = torch.randn(10, 4)
target = torch.randn(10, 4)
for _ in range(2):
    scale.grad = shift.grad = None
    out = torch.tanh(Affine.apply(x, scale, shift))
    loss = ((out - target) ** 2).sum()
    loss.backward()
    with torch.no_grad():
        scale -= 0.01 * scale.grad
        shift -= 0.01 * shift.grad
