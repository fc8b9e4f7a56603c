"""A variational autoencoder on two moons."""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(7)


def moons(n):
    angle = math.pi * torch.rand(n)
    side = (torch.arange(n) % 2).float()
    x = torch.cos(angle) * (1 - 2 * side) + side
    y = torch.sin(angle) * (1 - 2 * side) + 0.5 * side
    return torch.stack([x, y], dim=1) + 0.05 * torch.randn(n, 2)


class VAE(nn.Module):
    def __init__(self, hidden=12, latent=2):
        super().__init__()
        self.encode = nn.Linear(2, hidden)
        self.mean = nn.Linear(hidden, latent)
        self.log_variance = nn.Linear(hidden, latent)
        self.decode = nn.Sequential(nn.Linear(latent, hidden), nn.Tanh(), nn.Linear(hidden, 2))

    def forward(self, x):
        h = F.relu(self.encode(x))
        mean, log_variance = self.mean(h), self.log_variance(h)
        std = torch.exp(0.5 * log_variance)
        z = mean + std * torch.randn_like(std)
        return self.decode(z), mean, log_variance


def elbo_loss(x, reconstruction, mean, log_variance, beta):
    fit = (reconstruction - x).pow(2).sum(dim=1)
    kl = -0.5 * (1 + log_variance - mean.pow(2) - log_variance.exp()).sum(dim=1)
    return (fit + beta * kl).mean()


data = moons(64)
model = VAE()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
steps = 0
for epoch in range(3):
    epoch_loss = 0.0
    for x in data.split(16):
        beta = min(1.0, steps / 10)
        loss = elbo_loss(x, *model(x), beta)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        epoch_loss += loss.item()
        steps += 1
    print(f"epoch {epoch} loss {epoch_loss / 4:.4f}")

with torch.no_grad():
    samples = model.decode(torch.randn(5, 2))
print(samples.shape)
