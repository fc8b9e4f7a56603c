"""torchcde: a neural controlled differential equation classifies spirals.

packages: torchcde, torchdiffeq
"""
import torch
import torchcde
from torch import nn

torch.manual_seed(0)


class Field(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 12), nn.Tanh())

    def forward(self, t, z):
        return self.net(z).view(*z.shape[:-1], 4, 3)


field, first, last = Field(), nn.Linear(3, 4), nn.Linear(4, 1)
optimizer = torch.optim.Adam([*field.parameters(), *first.parameters(), *last.parameters()], lr=1e-2)
t = torch.linspace(0, 1, 10)
y = torch.arange(8) % 2
angle = t * 6 * (2 * y[:, None] - 1)
x = torch.stack([t.expand(8, 10), torch.cos(angle), torch.sin(angle)], -1)
coefficients = torchcde.hermite_cubic_coefficients_with_backward_differences(x)
for step in range(3):
    path = torchcde.CubicSpline(coefficients)
    start = first(path.evaluate(path.interval[0]))
    end = torchcde.cdeint(X=path, func=field, z0=start, t=path.interval, method="rk4", adjoint=step != 1, options={"step_size": 0.2})
    loss = nn.functional.binary_cross_entropy_with_logits(last(end[:, 1]).squeeze(-1), y.float())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, round(loss.item(), 4))
