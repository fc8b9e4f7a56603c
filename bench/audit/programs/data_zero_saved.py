# A saved result is changed through .data: pytorch/pytorch#6990.
# want: wrong
import torch

torch.manual_seed(14)
w = torch.randn(3, requires_grad=True)
x = torch.randn(5, 3)
for _ in range(2):
    w.grad = None
    out = torch.sigmoid(x * w)  # here
    out.data.mul_(0.5)  # good: out = out * 0.5
    loss = (out * x).sum()
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
