"""torchsde: a small stochastic differential equation fitted to a mean path.

packages: torchsde
"""
import torch
import torchsde
from torch import nn

torch.manual_seed(0)


class SDE(nn.Module):
    noise_type = "diagonal"
    sde_type = "ito"

    def __init__(self):
        super().__init__()
        self.drift = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 2))
        self.spread = nn.Parameter(torch.tensor([0.1, 0.1]))

    def f(self, t, y):
        return self.drift(y)

    def g(self, t, y):
        return self.spread.abs().expand_as(y)


sde = SDE()
optimizer = torch.optim.Adam(sde.parameters(), lr=0.01)
ts = torch.linspace(0, 1, 5)
goal = torch.stack([torch.cos(ts), torch.sin(ts)], -1)[:, None]
start = torch.tensor([[1.0, 0.0]]).repeat(4, 1)
for step in range(4):
    path = torchsde.sdeint(sde, start, ts, dt=0.1, method="euler")
    loss = (path - goal).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, round(loss.item(), 4))
