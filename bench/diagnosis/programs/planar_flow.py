"""Planar flows that fit a density by the reverse Kullback-Leibler divergence."""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(113)


class PlanarFlow(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.u = nn.Parameter(0.1 * torch.randn(dim))
        self.w = nn.Parameter(0.1 * torch.randn(dim))
        self.b = nn.Parameter(torch.zeros(1))

    def constrained_u(self):
        inner = (self.w * self.u).sum()
        return self.u + (F.softplus(inner) - 1 - inner) * self.w / (self.w.pow(2).sum() + 1e-6)

    def forward(self, z):
        u = self.constrained_u()
        activation = torch.tanh(z @ self.w + self.b)
        moved = z + u * activation.unsqueeze(1)
        slope = (1 - activation**2).unsqueeze(1) * self.w
        log_det = torch.log((1 + slope @ u).abs() + 1e-6)
        return moved, log_det


class Flow(nn.Module):
    def __init__(self, dim, depth):
        super().__init__()
        self.location = nn.Parameter(torch.zeros(dim))
        self.log_scale = nn.Parameter(torch.zeros(dim))
        self.steps = nn.ModuleList(PlanarFlow(dim) for _ in range(depth))

    def forward(self, n):
        noise = torch.randn(n, len(self.location))
        z = self.location + self.log_scale.exp() * noise
        log_q = -0.5 * (noise**2 + math.log(2 * math.pi)).sum(dim=1) - self.log_scale.sum()
        for step in self.steps:
            z, log_det = step(z)
            log_q = log_q - log_det
        return z, log_q


def log_target(z):
    ring = -0.5 * ((z.norm(dim=1) - 2) / 0.5) ** 2
    bumps = torch.stack([-0.5 * ((z[:, 0] + side) / 0.6) ** 2 for side in (-2.0, 2.0)])
    return ring + torch.logsumexp(bumps, dim=0)


def free_energy(flow, n, temperature):
    z, log_q = flow(n)
    return (log_q - temperature * log_target(z)).mean()


flow = Flow(dim=2, depth=4)
optimizer = torch.optim.Adam(flow.parameters(), lr=0.02)
averages = []
for step in range(16):
    temperature = min(1.0, 0.25 + step / 16)
    loss = free_energy(flow, 64, temperature)
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(flow.parameters(), 5.0)
    optimizer.step()
    averages.append(loss.item())
    if step % 4 == 3:
        print("step", step, "free energy %.4f" % (sum(averages[-4:]) / 4))
with torch.no_grad():
    samples, _ = flow(200)
print("radius %.3f" % samples.norm(dim=1).mean().item())
