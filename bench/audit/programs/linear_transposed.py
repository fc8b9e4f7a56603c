# A linear layer whose weight gradient multiplies in the wrong order; a square weight hides it from the shapes.
# want: wrong
import torch


class MatMul(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x @ w.t()

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        return g @ w, x.t() @ g  # good: return g @ w, g.t() @ x


torch.manual_seed(2)
w = torch.nn.Parameter(torch.randn(3, 3))
b = torch.nn.Parameter(torch.zeros(3))
opt = torch.optim.Adam([w, b], lr=0.01)
x, y = torch.randn(8, 3), torch.randn(8, 3)
for _ in range(2):
    opt.zero_grad()
    loss = torch.nn.functional.mse_loss(MatMul.apply(x, w) + b, y)
    loss.backward()
    opt.step()
