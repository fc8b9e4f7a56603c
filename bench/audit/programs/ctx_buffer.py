# A buffer on the class, not on ctx: the second call overwrites what the first backward reads.
# want: wrong
import torch


class Tanh(torch.autograd.Function):
    last = None

    @staticmethod
    def forward(ctx, x):
        y = x.tanh()
        Tanh.last = y  # good: ctx.last = y
        return y

    @staticmethod
    def backward(ctx, g):
        y = Tanh.last  # good: y = ctx.last
        return g * (1 - y * y)  # here


torch.manual_seed(12)
w = torch.randn(4, 4, requires_grad=True)
v = torch.randn(4, 4, requires_grad=True)
x = torch.randn(3, 4)
opt = torch.optim.SGD([w, v], lr=0.1)
for _ in range(2):
    opt.zero_grad()
    h = Tanh.apply(x @ w)
    h = Tanh.apply(h @ v)
    loss = h.sum()
    loss.backward()
    opt.step()
