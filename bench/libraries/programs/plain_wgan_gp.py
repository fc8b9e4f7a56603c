"""WGAN-GP: five critic steps with a gradient penalty, then a step of the generator.

packages: torch
"""
import torch
from torch import autograd, nn

torch.manual_seed(0)
generator = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 2))
critic = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
g_optimizer = torch.optim.Adam(generator.parameters(), 1e-3, betas=(0.0, 0.9))
c_optimizer = torch.optim.Adam(critic.parameters(), 1e-3, betas=(0.0, 0.9))


def penalty(real, fake):
    mix = torch.rand(len(real), 1)
    between = (mix * real + (1 - mix) * fake).requires_grad_(True)
    judged = critic(between)
    slope, = autograd.grad(judged, between, torch.ones_like(judged), create_graph=True, retain_graph=True)
    return ((slope.norm(2, dim=1) - 1) ** 2).mean()


for step in range(3):
    for p in critic.parameters():
        p.requires_grad_(True)
    for _ in range(3):
        real = torch.randn(8, 2) + 3
        with torch.no_grad():
            fake = generator(torch.randn(8, 3))
        loss = critic(fake).mean() - critic(real).mean() + 10 * penalty(real, fake)
        c_optimizer.zero_grad()
        loss.backward()
        c_optimizer.step()
    for p in critic.parameters():
        p.requires_grad_(False)
    g_loss = -critic(generator(torch.randn(8, 3))).mean()
    g_optimizer.zero_grad()
    g_loss.backward()
    g_optimizer.step()
    print(step, round(loss.item(), 3), round(g_loss.item(), 3))
