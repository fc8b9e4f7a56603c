"""A layer is used on rank 1 only."""

import os

import torch
from torch import nn


class Gated(nn.Module):
    def __init__(self):
        super().__init__()
        self.shared = nn.Linear(3, 3)
        self.extra = nn.Linear(3, 3)

    def forward(self, x, rank):
        y = self.shared(x)
        if rank == 1:
            y = y + self.extra(x)
        return y.sum()


model = Gated()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(2):
    optimizer.zero_grad()
    model(torch.ones(2, 3), int(os.environ["RANK"])).backward()
    optimizer.step()
