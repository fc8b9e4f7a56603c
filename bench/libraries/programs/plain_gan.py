"""A GAN whose generator step reuses the fake batch of the discriminator step.

packages: torch
"""
import torch
from torch import nn

torch.manual_seed(0)
G = nn.Sequential(nn.Linear(4, 16), nn.ReLU(True), nn.Linear(16, 2))
D = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2, inplace=True), nn.Linear(16, 1), nn.Sigmoid())
criterion = nn.BCELoss()
g_optimizer = torch.optim.Adam(G.parameters(), 2e-3, betas=(0.5, 0.999))
d_optimizer = torch.optim.Adam(D.parameters(), 2e-3, betas=(0.5, 0.999))
for step in range(6):
    real = torch.randn(16, 2) * 0.5 + 2
    label = torch.full((16,), 1.0)
    D.zero_grad()
    on_real = criterion(D(real).view(-1), label)
    on_real.backward()
    fake = G(torch.randn(16, 4))
    label.fill_(0.0)
    on_fake = criterion(D(fake.detach()).view(-1), label)
    on_fake.backward()
    d_optimizer.step()

    G.zero_grad()
    label.fill_(1.0)
    fooled = criterion(D(fake).view(-1), label)
    fooled.backward()
    g_optimizer.step()
    print(step, round((on_real + on_fake).item(), 3), round(fooled.item(), 3))
