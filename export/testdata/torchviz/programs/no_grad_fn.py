import torch

root = torch.ones(2, 3)
params = {"root": root}
