# A part of the model is written with NumPy's array and comes back as a constant.
# want: lost
# engine: torch
import torch

torch.manual_seed(25)
w = torch.randn(3, 3, requires_grad=True)
x = torch.randn(4, 3)
for _ in range(2):
    w.grad = None
    h = (x @ w).tanh()
    order = torch.from_numpy(h.detach().numpy())  # good: order = h
    loss = (order * 2 + h).pow(2).sum()
    loss.backward()
    with torch.no_grad():
        w -= 0.01 * w.grad
