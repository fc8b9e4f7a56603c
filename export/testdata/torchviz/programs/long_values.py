import torch

a = torch.ones(1, 2, 1, 3, 1, 2, 1, 2, 1, 3, requires_grad=True)
b = a.expand(10, 2, 10, 3, 10, 2, 1, 2, 10, 3).permute(9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
root = b.sum(dim=(0, 1, 2, 3, 4, 5, 6, 7, 8, 9))
params = {"a": a}
