# backward that forgets the gradient it was given: pytorch/pytorch#4355.
# want: wrong
import torch


class ISRLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, alpha):
        r = torch.rsqrt(1 + alpha * torch.clamp(x, max=0) ** 2)
        ctx.save_for_backward(r)
        return x * r

    @staticmethod
    def backward(ctx, g):
        (r,) = ctx.saved_tensors
        return r**3, None  # good: return g * r**3, None


torch.manual_seed(1)
layer = torch.nn.Linear(4, 4)
head = torch.nn.Linear(4, 1)
params = list(layer.parameters()) + list(head.parameters())
opt = torch.optim.SGD(params, lr=0.05)
x, y = torch.randn(6, 4), torch.randn(6, 1)
for _ in range(2):
    opt.zero_grad()
    out = head(ISRLU.apply(layer(x), 0.5))
    loss = (out - y).pow(2).mean()
    loss.backward()
    opt.step()
