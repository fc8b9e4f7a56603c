import torch

a = torch.ones(3, requires_grad=True)
b = a * a
c = b.exp() + b.sigmoid()
root = (c * b).sum()
params = {"a": a}
