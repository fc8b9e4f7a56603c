import torch

a = torch.ones(2, 3, requires_grad=True)
root = (a.view(-1)[2:], a)
params = {"a": a}
