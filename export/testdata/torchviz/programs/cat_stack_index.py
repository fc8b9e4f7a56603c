import torch

a = torch.ones(2, 3, requires_grad=True)
b = torch.ones(2, 3, requires_grad=True)
rows = torch.tensor([1, 0])
mask = torch.tensor([True, False])
both = torch.cat([a, b, a], 1)
piled = torch.stack([both[rows], both[rows, rows].expand(9, 2).t()], -1)
root = (piled[:, rows].sum() + both[mask].sum() + a.index_select(1, rows).sum()).reshape(1)
params = {"a": a, "b": b}
