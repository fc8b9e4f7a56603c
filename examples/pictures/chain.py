"""A chain: what plain functions do to one parameter."""

import torch

torch.manual_seed(0)
x = torch.randn(8, 4)
w = torch.randn(4, requires_grad=True)

h = x * w
h = h.exp()
h = h.sum(dim=1)
h = h.log()
loss = h.mean()
loss.backward()
