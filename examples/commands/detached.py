"""A scale is detached on its way to the loss, so no gradient reaches it."""

import torch

scale = torch.tensor([1.0, 2.0], requires_grad=True)
bias = torch.zeros(2, requires_grad=True)
kept = (scale * 3).detach()
loss = (kept + bias).sum()
loss.backward()
