import torch
from torch import nn


class Gate(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(3, 3)

    def forward(self, x):
        return torch.sigmoid(self.inner(x))


gate = Gate()
optimizer = torch.optim.SGD(gate.parameters(), lr=0.1)
for _ in range(3):
    loss = gate(torch.randn(2, 3)).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
spent = loss
state = torch.ones(3, requires_grad=True)
hidden = state.exp()
hidden.add_(1)
hidden.sum().backward()
