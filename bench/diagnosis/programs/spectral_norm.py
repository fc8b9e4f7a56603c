"""A critic with spectral normalisation by power iteration, written by hand, and a hinge loss."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(125)


class SpectralLinear(nn.Module):
    def __init__(self, inputs, outputs, iterations=1):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(outputs, inputs))
        self.bias = nn.Parameter(torch.zeros(outputs))
        nn.init.xavier_uniform_(self.weight)
        self.register_buffer("u", F.normalize(torch.randn(outputs), dim=0))
        self.iterations = iterations

    def sigma(self):
        u = self.u
        with torch.no_grad():
            for _ in range(self.iterations):
                v = F.normalize(self.weight.t() @ u, dim=0)
                u = F.normalize(self.weight @ v, dim=0)
            if self.training:
                self.u.copy_(u)
        return u @ self.weight @ v

    def forward(self, x):
        weight = self.weight / self.sigma()
        return F.linear(x, weight, self.bias)


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer1 = SpectralLinear(2, 24)
        self.layer2 = SpectralLinear(24, 24)
        self.layer3 = SpectralLinear(24, 1)

    def forward(self, x):
        x = F.leaky_relu(self.layer1(x), 0.2)
        x = F.leaky_relu(self.layer2(x), 0.2)
        return self.layer3(x).squeeze(-1)


class Generator(nn.Module):
    def __init__(self, noise):
        super().__init__()
        self.noise = noise
        self.layers = nn.Sequential(nn.Linear(noise, 24), nn.ReLU(), nn.Linear(24, 24), nn.ReLU(), nn.Linear(24, 2))

    def forward(self, n):
        return self.layers(torch.randn(n, self.noise))


def hinge_critic(real_scores, fake_scores):
    return F.relu(1 - real_scores).mean() + F.relu(1 + fake_scores).mean()


def circle(n):
    angle = 6.2832 * torch.rand(n)
    return torch.stack((angle.cos(), angle.sin()), dim=1) + 0.05 * torch.randn(n, 2)


def train_critic(critic, generator, optimizer):
    with torch.no_grad():
        fake = generator(24)
    loss = hinge_critic(critic(circle(24)), critic(fake))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def train_generator(critic, generator, optimizer):
    loss = -critic(generator(24)).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


critic, generator = Critic(), Generator(4)
critic_optimizer = torch.optim.Adam(critic.parameters(), lr=4e-3, betas=(0.0, 0.9))
generator_optimizer = torch.optim.Adam(generator.parameters(), lr=1e-3, betas=(0.0, 0.9))
for step in range(8):
    critic_losses = [train_critic(critic, generator, critic_optimizer) for _ in range(2)]
    generator_loss = train_generator(critic, generator, generator_optimizer)
    print(step, "critic %.4f generator %.4f" % (sum(critic_losses) / 2, generator_loss))
