# A mean whose backward forgets to divide by the number of elements.
# want: wrong
import torch


class Mean(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.shape = x.shape
        return x.mean()

    @staticmethod
    def backward(ctx, g):
        return g.expand(ctx.shape)  # good: return (g / ctx.shape[0] / ctx.shape[1]).expand(ctx.shape)


torch.manual_seed(11)
w = torch.randn(4, 2, requires_grad=True)
x, y = torch.randn(6, 4), torch.randn(6, 2)
opt = torch.optim.SGD([w], lr=0.01)
for _ in range(2):
    opt.zero_grad()
    loss = Mean.apply((x @ w - y).pow(2)) + 0.01 * w.pow(2).sum()
    loss.backward()
    opt.step()
