import math

import torch
import torch.nn as nn
from torch import autograd, optim


class Generator(nn.Module):
    def __init__(self, nz=4, hidden=32):
        super().__init__()
        self.nz = nz
        self.net = nn.Sequential(
            nn.Linear(nz, hidden), nn.BatchNorm1d(hidden), nn.ReLU(True),
            nn.Linear(hidden, hidden), nn.BatchNorm1d(hidden), nn.ReLU(True),
            nn.Linear(hidden, 2),
        )

    def forward(self, n):
        return self.net(torch.randn(n, self.nz))


class Critic(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, hidden), nn.LeakyReLU(0.2, True), nn.Linear(hidden, hidden),
                                 nn.LeakyReLU(0.2, True), nn.Linear(hidden, 1))

    def forward(self, x):
        return self.net(x).squeeze(1)


def ring_of_gaussians(n, modes=8):
    k = torch.randint(modes, (n,)).float()
    angle = 2 * math.pi * k / modes
    return torch.stack([angle.cos(), angle.sin()], dim=1) + 0.05 * torch.randn(n, 2)


def set_requires_grad(net, flag):
    for p in net.parameters():
        p.requires_grad_(flag)


def gradient_penalty(critic, real, fake):
    alpha = torch.rand(len(real), 1)
    mixed = (alpha * real + (1 - alpha) * fake).requires_grad_(True)
    grads, = autograd.grad(critic(mixed).sum(), mixed, create_graph=True)
    return ((grads.norm(2, dim=1) - 1) ** 2).mean()


class WGANTrainer:
    def __init__(self, n_critic=3, gp_weight=10.0, batch=64):
        self.G, self.D = Generator(), Critic()
        self.opt_g = optim.Adam(self.G.parameters(), lr=1e-3, betas=(0.0, 0.9))
        self.opt_d = optim.Adam(self.D.parameters(), lr=1e-3, betas=(0.0, 0.9))
        self.n_critic, self.gp_weight, self.batch = n_critic, gp_weight, batch

    def critic_round(self):
        set_requires_grad(self.D, True)
        for _ in range(self.n_critic):
            real = ring_of_gaussians(self.batch)
            with torch.no_grad():
                fake = self.G(self.batch)
            distance = self.D(real).mean() - self.D(fake).mean()
            loss = -distance + self.gp_weight * gradient_penalty(self.D, real, fake)
            self.opt_d.zero_grad()
            loss.backward()
            self.opt_d.step()
        return distance.item()

    def generator_round(self):
        set_requires_grad(self.D, False)
        loss = -self.D(self.G(self.batch)).mean()
        self.opt_g.zero_grad()
        loss.backward()
        self.opt_g.step()
        return loss.item()

    def sample(self, n):
        self.G.eval()
        with torch.no_grad():
            points = self.G(n)
        self.G.train()
        return points

    def train(self, rounds=30):
        for i in range(rounds):
            distance = self.critic_round()
            g_loss = self.generator_round()
            if i % 10 == 9:
                radius = self.sample(100).norm(dim=1)
                print("round %d W %.4f G %.4f radius %.3f" % (i + 1, distance, g_loss, radius.mean()))


torch.manual_seed(2)
trainer = WGANTrainer()
trainer.train()
