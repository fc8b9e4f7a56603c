# A helper was decorated for evaluation and is called by the loss as well.
# want: lost
import torch


@torch.no_grad()  # good: # for training and evaluation
def smoothness(w):
    return (w[1:] - w[:-1]).pow(2).sum()  # here


torch.manual_seed(36)
w = torch.randn(8, requires_grad=True)
x, y = torch.randn(10, 8), torch.randn(10)
opt = torch.optim.SGD([w], lr=0.01)
for _ in range(2):
    opt.zero_grad()
    loss = (x @ w - y).pow(2).mean() + 0.5 * smoothness(w)
    loss.backward()
    opt.step()
