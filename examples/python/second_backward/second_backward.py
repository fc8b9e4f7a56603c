"""A generator and a discriminator are trained on one graph, which the first backward() frees."""

import torch
from torch import nn

torch.manual_seed(0)
generator = nn.Linear(2, 3)
discriminator = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
bce = nn.BCEWithLogitsLoss()

fake = generator(torch.randn(5, 2))
verdict = discriminator(fake)

loss_d = bce(verdict, torch.zeros(5, 1))
loss_d.backward()  # frees what verdict's nodes have saved
print(f"discriminator: {loss_d.item():.4f}")

loss_g = bce(verdict, torch.ones(5, 1))  # the same verdict
loss_g.backward()
print(f"generator: {loss_g.item():.4f}")
