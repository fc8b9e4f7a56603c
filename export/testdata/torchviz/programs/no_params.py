import torch

a = torch.ones(3, requires_grad=True)
root = (a * a).mean()
params = None
