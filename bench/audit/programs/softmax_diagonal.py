# Only the diagonal of the Jacobian of softmax.
# want: wrong
import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        e = torch.exp(x - x.max(dim=-1, keepdim=True)[0])
        y = e / e.sum(-1, keepdim=True)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * y * (1 - y)  # good: return y * (g - (g * y).sum(-1, keepdim=True))


torch.manual_seed(8)
q = torch.nn.Linear(4, 4)
k = torch.nn.Linear(4, 4)
x = torch.randn(6, 4)
opt = torch.optim.SGD([*q.parameters(), *k.parameters()], lr=0.1)
for _ in range(2):
    scores = q(x) @ k(x).t() / 2
    out = Softmax.apply(scores) @ x
    loss = (out - x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
