# Dropout that keeps its mask in a buffer of the module, which the next call fills again.
# want: wrong
import torch


class Drop(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, mask):
        ctx.mask = mask  # good: ctx.mask = mask.clone()
        return x * mask

    @staticmethod
    def backward(ctx, g):
        return g * ctx.mask, None  # here


torch.manual_seed(13)
mask = torch.zeros(4, 6)


def dropout(x):
    mask.copy_((torch.rand(4, 6) > 0.5).float() * 2)
    return Drop.apply(x, mask)


w = torch.randn(6, 6, requires_grad=True)
u = torch.randn(6, 6, requires_grad=True)
x = torch.randn(4, 6)
opt = torch.optim.SGD([w, u], lr=0.05)
for _ in range(2):
    opt.zero_grad()
    h = dropout((x @ w).tanh())
    h = dropout((h @ u).tanh())
    loss = (h - x).pow(2).mean()
    loss.backward()
    opt.step()
