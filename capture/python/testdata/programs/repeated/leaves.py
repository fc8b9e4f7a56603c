"""Leaves that are made again and again: each of them gets a gradient."""

import torch


def fresh(i):
    if i % 3 == 0:
        return torch.full((2,), i / 8, requires_grad=True)
    if i % 3 == 1:
        return torch.ones([2], requires_grad=True)
    return torch.zeros(2, dtype=torch.float64, requires_grad=True)


kept = []
for i in range(160):  # the nodes of the first hundred passes are watched
    w = fresh(i)
    w.grad = torch.zeros_like(w) if i % 2 else None
    (w * (i + 1.0)).sum().backward()
    if i % 50 == 0:
        (w * w).sum().backward()
        kept.append(w)
print([w.grad.tolist() for w in kept], w.grad.tolist(), w.grad._version)
