import torch

w = torch.ones(3, requires_grad=True)
h = w * 2
root = ((h * w) * h + h.pow(3) * w).sum()
params = {"w": w}
