"""A normalizing flow of affine couplings."""

import math

import torch
from torch import nn

torch.manual_seed(25)


class Coupling(nn.Module):
    def __init__(self, mask, hidden):
        super().__init__()
        self.register_buffer("mask", mask)
        self.scale = nn.Sequential(nn.Linear(2, hidden), nn.ReLU(), nn.Linear(hidden, 2), nn.Tanh())
        self.shift = nn.Sequential(nn.Linear(2, hidden), nn.ReLU(), nn.Linear(hidden, 2))

    def forward(self, x):
        kept = x * self.mask
        scale = self.scale(kept) * (1 - self.mask)
        shift = self.shift(kept) * (1 - self.mask)
        y = kept + (1 - self.mask) * (x * torch.exp(scale) + shift)
        return y, scale.sum(dim=1)

    def inverse(self, y):
        kept = y * self.mask
        scale = self.scale(kept) * (1 - self.mask)
        shift = self.shift(kept) * (1 - self.mask)
        return kept + (1 - self.mask) * (y - shift) * torch.exp(-scale)


class Flow(nn.Module):
    def __init__(self, layers):
        super().__init__()
        masks = [torch.tensor([1.0, 0.0]), torch.tensor([0.0, 1.0])]
        self.layers = nn.ModuleList(Coupling(masks[i % 2], 10) for i in range(layers))

    def log_prob(self, x):
        log_det = torch.zeros(len(x))
        for layer in self.layers:
            x, change = layer(x)
            log_det = log_det + change
        base = -0.5 * x.pow(2).sum(dim=1) - math.log(2 * math.pi)
        return base + log_det

    def sample(self, n):
        z = torch.randn(n, 2)
        for layer in reversed(self.layers):
            z = layer.inverse(z)
        return z


data = torch.randn(48, 2) * torch.tensor([0.5, 2.0]) + torch.tensor([1.0, -1.0])
flow = Flow(4)
optimizer = torch.optim.Adam(flow.parameters(), lr=0.01)
for epoch in range(4):
    total = 0.0
    for batch in data.split(16):
        loss = -flow.log_prob(batch).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(epoch, round(total / 3, 4))

with torch.no_grad():
    print("mean of samples", flow.sample(64).mean(dim=0))
