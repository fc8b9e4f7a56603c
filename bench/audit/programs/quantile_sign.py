# A pinball loss with the sides of its gradient exchanged.
# want: wrong
import torch


class Pinball(torch.autograd.Function):
    @staticmethod
    def forward(ctx, pred, y, tau):
        d = y - pred
        ctx.save_for_backward(d)
        ctx.tau = tau
        return torch.where(d > 0, tau * d, (tau - 1) * d).mean()

    @staticmethod
    def backward(ctx, g):
        (d,) = ctx.saved_tensors
        low, high = torch.full_like(d, 1 - ctx.tau), torch.full_like(d, -ctx.tau)
        grad = torch.where(d > 0, low, high)  # good: grad = torch.where(d > 0, high, low)
        return g * grad / d.numel(), None, None  # here


torch.manual_seed(47)
net = torch.nn.Linear(3, 1)
opt = torch.optim.Adam(net.parameters(), lr=0.01)
x, y = torch.randn(11, 3), torch.randn(11, 1)
for _ in range(2):
    opt.zero_grad()
    loss = Pinball.apply(net(x), y, 0.9)
    loss.backward()
    opt.step()
