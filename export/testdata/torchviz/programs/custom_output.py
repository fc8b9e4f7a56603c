import torch


class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(x, y)
        return y

    @staticmethod
    def backward(ctx, g):
        return g * ctx.saved_tensors[1]


x = torch.ones(3, requires_grad=True)
y = Exp.apply(x)
root = y, y.sum()
params = {"x": x, "y": y}
