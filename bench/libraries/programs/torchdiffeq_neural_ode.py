"""torchdiffeq: a neural ODE fitted with the adjoint method and with plain backpropagation.

packages: torchdiffeq
"""
import torch
from torch import nn
from torchdiffeq import odeint, odeint_adjoint

torch.manual_seed(0)
A = torch.tensor([[-0.1, 2.0], [-2.0, -0.1]])
t = torch.linspace(0.0, 1.0, 8)
start = torch.tensor([[2.0, 0.0]])
with torch.no_grad():
    truth = odeint(lambda t, y: y @ A, start, t)


class Field(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 2))

    def forward(self, t, y):
        return self.net(y**3)


for solve, method in ((odeint_adjoint, "dopri5"), (odeint, "rk4")):
    field = Field()
    optimizer = torch.optim.RMSprop(field.parameters(), lr=1e-3)
    for step in range(3):
        optimizer.zero_grad()
        predicted = solve(field, start, t, method=method, rtol=1e-3, atol=1e-3)
        loss = (predicted - truth).abs().mean()
        loss.backward()
        optimizer.step()
        print(method, step, round(loss.item(), 4))
