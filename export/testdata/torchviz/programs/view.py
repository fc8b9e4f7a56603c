import torch

a = torch.ones(2, 3, requires_grad=True)
b = a * 2
root = b[0]
params = {"a": a}
