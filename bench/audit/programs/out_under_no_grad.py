# A running product is written into a buffer with out=, which needs no_grad to work at all.
# want: lost
import torch

torch.manual_seed(30)
w = torch.randn(4, requires_grad=True)
x = torch.randn(4)
buffer = torch.empty(4)
for _ in range(2):
    w.grad = None
    h = torch.exp(-w * w)
    with torch.no_grad():  # good: if True:
        torch.mul(h, x, out=buffer)  # good: buffer = torch.mul(h, x)
    loss = buffer.sum() + h.sum()
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
