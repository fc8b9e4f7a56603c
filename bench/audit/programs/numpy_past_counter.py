# The array of a saved tensor is written: NumPy shares the memory and no version is counted.
# want: wrong
# engine: torch
import torch

torch.manual_seed(16)
w = torch.randn(4, requires_grad=True)
x = torch.randn(4)
for _ in range(2):
    w.grad = None
    h = torch.exp(w * x)  # here
    h.detach().numpy()[0] = 0.0  # good: pass
    loss = (h * x).sum()
    loss.backward()
    with torch.no_grad():
        w -= 0.01 * w.grad
