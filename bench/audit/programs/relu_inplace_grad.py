# backward writes into the gradient it was given; the other branch of the sum reads the same memory: linkedin/Liger-Kernel#254.
# want: wrong
import torch


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        g[x < 0] = 0  # good: g = g * (x >= 0)
        return g  # here


torch.manual_seed(6)
w1 = torch.randn(3, 3, requires_grad=True)
w2 = torch.randn(3, 3, requires_grad=True)
x = torch.randn(5, 3)
opt = torch.optim.SGD([w1, w2], lr=0.01)
for _ in range(2):
    opt.zero_grad()
    h = x @ w1
    out = h @ w2 + ReLU.apply(h)  # here
    loss = out.sin().sum()
    loss.backward()
    opt.step()
