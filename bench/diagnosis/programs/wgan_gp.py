"""A Wasserstein GAN with gradient penalty on a mixture of two Gaussians."""

import torch
import torch.nn as nn

torch.manual_seed(9)

N_CRITIC = 2
PENALTY = 10.0


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 12), nn.Softplus(), nn.Linear(12, 12), nn.Softplus(), nn.Linear(12, 1))

    def forward(self, x):
        return self.net(x).squeeze(1)


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 12), nn.ReLU(), nn.Linear(12, 2))

    def forward(self, z):
        return self.net(z)


def sample_real(n):
    center = torch.where(torch.rand(n, 1) < 0.5, -1.0, 1.0)
    return center + 0.1 * torch.randn(n, 2)


def gradient_penalty(critic, real, fake):
    mix = torch.rand(real.shape[0], 1)
    between = (mix * real + (1 - mix) * fake).requires_grad_()
    scores = critic(between)
    (grad,) = torch.autograd.grad(scores.sum(), between, create_graph=True)
    return ((grad.norm(dim=1) - 1) ** 2).mean()


critic, generator = Critic(), Generator()
critic_optimizer = torch.optim.Adam(critic.parameters(), lr=1e-3, betas=(0.0, 0.9))
generator_optimizer = torch.optim.Adam(generator.parameters(), lr=1e-3, betas=(0.0, 0.9))

for iteration in range(5):
    for _ in range(N_CRITIC):
        real = sample_real(12)
        with torch.no_grad():
            fake = generator(torch.randn(12, 2))
        critic_loss = critic(fake).mean() - critic(real).mean()
        critic_loss = critic_loss + PENALTY * gradient_penalty(critic, real, fake)
        critic_optimizer.zero_grad()
        critic_loss.backward()
        critic_optimizer.step()

    generator_loss = -critic(generator(torch.randn(12, 2))).mean()
    generator_optimizer.zero_grad()
    generator_loss.backward()
    generator_optimizer.step()
    print(iteration, round(critic_loss.item(), 3), round(generator_loss.item(), 3))
