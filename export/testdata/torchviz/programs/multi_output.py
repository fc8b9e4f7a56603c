import torch

a = torch.ones(3, 4, requires_grad=True)
rows = a.exp().unbind(0)
left, right = a.sin().split([1, 3], 1)
values, indices = a.cos().max(1)
u, s, v = torch.linalg.svd(a)
root = (rows[1], left, values, indices, s)
params = {"a": a}
