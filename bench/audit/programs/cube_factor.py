# A power with the factor of another power: pytorch/pytorch#4355, forgotten terms of hand-written derivatives.
# want: wrong
import torch


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * 2 * x**2  # good: return g * 3 * x**2


torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 2))
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(5, 3)
for _ in range(2):
    opt.zero_grad()
    loss = Cube.apply(model(x)).mean()
    loss.backward()
    opt.step()
