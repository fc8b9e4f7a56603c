# The gradient of a norm lacks the root: it belongs to the square of the norm.
# want: wrong
import torch


class Norm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        n = x.pow(2).sum().sqrt()
        ctx.save_for_backward(x, n)
        return n

    @staticmethod
    def backward(ctx, g):
        x, n = ctx.saved_tensors
        return g * 2 * x  # good: return g * x / n


torch.manual_seed(46)
w = torch.randn(5, 2, requires_grad=True)
x, y = torch.randn(7, 5), torch.randn(7, 2)
opt = torch.optim.SGD([w], lr=0.1)
for _ in range(2):
    opt.zero_grad()
    loss = Norm.apply(x @ w - y) + 0.1 * w.pow(2).sum()
    loss.backward()
    opt.step()
