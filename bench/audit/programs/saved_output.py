# sigmoid's derivative is written for its result, but the argument was saved.
# want: wrong
import torch


class Sigmoid(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = 1 / (1 + torch.exp(-x))
        ctx.save_for_backward(x)  # good: ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * y * (1 - y)  # here


torch.manual_seed(4)
net = torch.nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(12, 3)
y = (x.sum(1, keepdim=True) > 0).float()
for _ in range(2):
    p = Sigmoid.apply(net(x))
    loss = torch.nn.functional.binary_cross_entropy(p, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
