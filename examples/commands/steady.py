"""The running total is a number, so every graph is freed."""

import torch

w = torch.ones(100, requires_grad=True)
total = 0.0
for step in range(50):
    x = torch.full((100,), float(step))
    loss = ((w * x) ** 2).mean()
    total += loss.item()
    w.grad = torch.autograd.grad(loss, w, retain_graph=True)[0]
print(float(total))
