import torch

table = torch.eye(3)


def row(n):
    return table[n]


print(row(2), row(-3))
row(3)
