import torch

p = torch.tensor([2.0, 2.0, 2.0, 2.0], requires_grad=True)
w = p**2
root = ((p - w) ** 2).sum()
params = {"p": p}
