# A loss with a hand-written gradient that leaves out the derivative of the modulating factor.
# want: wrong
import torch


class Focal(torch.autograd.Function):
    @staticmethod
    def forward(ctx, p):
        ctx.save_for_backward(p)
        return (-((1 - p) ** 2) * torch.log(p)).mean()

    @staticmethod
    def backward(ctx, g):
        (p,) = ctx.saved_tensors
        d = -((1 - p) ** 2) / p  # good: d = -((1 - p) ** 2) / p + 2 * (1 - p) * torch.log(p)
        return g * d / p.numel()  # here


torch.manual_seed(9)
net = torch.nn.Linear(5, 1)
opt = torch.optim.Adam(net.parameters(), lr=0.01)
x = torch.randn(7, 5)
for _ in range(2):
    opt.zero_grad()
    loss = Focal.apply(torch.sigmoid(net(x)))
    loss.backward()
    opt.step()
