import torch

a = torch.ones(3, requires_grad=True)
b = a * 3
b.add_(1)
b[0] = 5
root = b.sum()
params = {"a": a}
