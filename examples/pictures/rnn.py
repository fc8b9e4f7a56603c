"""A recurrent network of 30 steps, written as a loop."""

import torch
from torch import nn


class RNN(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.cell = nn.RNNCell(4, 8)
        self.head = nn.Linear(8, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = torch.zeros(x.shape[1], 8)
        for step in x:
            h = self.cell(step, h)
        return self.head(h)


torch.manual_seed(0)
model = RNN()
x = torch.randn(30, 5, 4)
y = torch.randint(0, 2, (5,))
loss = nn.functional.cross_entropy(model(x), y)
loss.backward()
