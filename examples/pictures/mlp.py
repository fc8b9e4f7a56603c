"""A multilayer perceptron, its loss and one backward pass."""

import torch
from torch import nn
from torch.nn import functional as F


class MLP(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fc1 = nn.Linear(3, 8)
        self.fc2 = nn.Linear(8, 8)
        self.fc3 = nn.Linear(8, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = F.relu(self.fc1(x))
        h = F.relu(self.fc2(h))
        return self.fc3(h)


torch.manual_seed(0)
model = MLP()
x = torch.randn(16, 3)
y = torch.randint(0, 4, (16,))
loss = F.cross_entropy(model(x), y)
loss.backward()
