import torch

a = torch.ones(2, 3, 4, requires_grad=True)
root = a.permute(2, 1, 0).add(1, alpha=1.5).sum((0, 1))
params = {"a": a}
max_attr_chars = 7
