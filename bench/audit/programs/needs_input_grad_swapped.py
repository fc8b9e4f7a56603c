# needs_input_grad is asked about the wrong argument, so the weight gets no gradient: zeros instead.
# want: wrong
import torch


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x * w

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        gx = gw = None
        if ctx.needs_input_grad[0]:
            gx = g * w
        if ctx.needs_input_grad[0]:  # good: if ctx.needs_input_grad[1]:
            gw = (g * x).sum(0)
        return gx, gw  # here


torch.manual_seed(5)
x = torch.randn(6, 3)
w = torch.randn(3, requires_grad=True)
b = torch.randn(3, requires_grad=True)
opt = torch.optim.SGD([w, b], lr=0.1)
for _ in range(2):
    opt.zero_grad()
    loss = (Scale.apply(x, w) + b).pow(2).mean()
    loss.backward()
    opt.step()
