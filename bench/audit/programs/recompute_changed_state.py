# A recomputed segment reads a temperature that the program has annealed in between.
# want: wrong
import torch

state = {"temperature": 1.0}


class Segment(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        ctx.temperature = state["temperature"]
        return torch.softmax(x / state["temperature"], -1)

    @staticmethod
    def backward(ctx, g):
        x = ctx.saved_tensors[0].detach().requires_grad_()
        t = state["temperature"]  # good: t = ctx.temperature
        with torch.enable_grad():
            y = torch.softmax(x / t, -1)  # here
        return torch.autograd.grad(y, x, g)[0]  # here


torch.manual_seed(44)
net = torch.nn.Linear(3, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(6, 3), torch.rand(6, 4)
for _ in range(2):
    opt.zero_grad()
    loss = (Segment.apply(net(x)) - y).pow(2).sum()
    state["temperature"] *= 0.5
    loss.backward()
    opt.step()
