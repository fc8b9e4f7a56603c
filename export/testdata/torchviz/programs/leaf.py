import torch

root = torch.ones((), requires_grad=True)
params = {"root": root}
