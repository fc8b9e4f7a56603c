import torch

a = torch.ones(2, 3, requires_grad=True)
b = a.clone()
b.add_(1)
b[0].mul_(3)
b[:, 1] = a[:, 0]
b.exp_()
root = b.sum()
params = {"a": a}
