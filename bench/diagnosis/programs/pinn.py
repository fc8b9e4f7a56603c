"""Solves u'' = -sin(x) with u(0) = u(pi) = 0 by a physics-informed network."""

import math

import torch
from torch import nn

torch.manual_seed(23)


class Solution(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))

    def forward(self, x):
        return self.net(x)


def derivative(y, x):
    return torch.autograd.grad(y, x, grad_outputs=torch.ones_like(y), create_graph=True)[0]


def residual(model, x):
    x = x.requires_grad_()
    u = model(x)
    first = derivative(u, x)
    second = derivative(first, x)
    return second + torch.sin(x)


def boundary(model):
    ends = torch.tensor([[0.0], [math.pi]])
    return model(ends)


model = Solution(12)
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[4, 6], gamma=0.5)
for step in range(8):
    points = math.pi * torch.rand(24, 1)
    physics = residual(model, points).pow(2).mean()
    edges = boundary(model).pow(2).mean()
    loss = physics + 10.0 * edges
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    scheduler.step()
    if step % 2 == 1:
        print(f"{step}: physics {physics.item():.4f}, boundary {edges.item():.4f}")

with torch.no_grad():
    grid = torch.linspace(0, math.pi, 9).unsqueeze(1)
    error = (model(grid) - torch.sin(grid)).abs().max().item()
print("largest error", error)
