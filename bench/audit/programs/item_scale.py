# A loss is normalized by its own size, taken as a number.
# want: lost
import torch

torch.manual_seed(22)
w = torch.randn(5, requires_grad=True)
x, y = torch.randn(9, 5), torch.randn(9)
for _ in range(2):
    w.grad = None
    r = x @ w - y
    scale = r.abs().max().item()  # good: scale = r.abs().max()
    loss = (r / scale).pow(2).sum() + 0.1 * w.abs().sum()
    loss.backward()
    with torch.no_grad():
        w -= 0.01 * w.grad
