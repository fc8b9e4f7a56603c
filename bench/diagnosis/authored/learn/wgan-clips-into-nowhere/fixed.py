import torch
from torch import nn


class Sampler:
    """Points on two moons."""

    def __init__(self, noise=0.05):
        self.noise = noise

    def __call__(self, n):
        angle = torch.pi * torch.rand(n)
        upper = torch.rand(n) < 0.5
        x = torch.where(upper, angle.cos(), 1 - angle.cos())
        y = torch.where(upper, angle.sin(), 0.5 - angle.sin())
        return torch.stack([x, y], dim=1) + self.noise * torch.randn(n, 2)


def net(sizes):
    layers = []
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b), nn.LeakyReLU(0.1)]
    return nn.Sequential(*layers[:-1])


class WassersteinGAN(nn.Module):
    def __init__(self, latent=4):
        super().__init__()
        self.latent = latent
        self.generator = net([latent, 24, 24, 2])
        self.critic = net([2, 24, 24, 1])

    def fake(self, n):
        return self.generator(torch.randn(n, self.latent))


class Experiment:
    def __init__(self, gan, data, clip=0.05, critic_rounds=3, lr=5e-4):
        self.gan, self.data = gan, data
        self.clip, self.critic_rounds = clip, critic_rounds
        self.opt_g = torch.optim.RMSprop(gan.generator.parameters(), lr=lr)
        self.opt_c = torch.optim.RMSprop(gan.critic.parameters(), lr=lr)

    def clip_weights(self):
        with torch.no_grad():
            for p in self.gan.critic.parameters():
                p.clamp_(-self.clip, self.clip)

    def train_critic(self, n):
        with torch.no_grad():
            fake = self.gan.fake(n)
        loss = self.gan.critic(fake).mean() - self.gan.critic(self.data(n)).mean()
        self.opt_c.zero_grad()
        loss.backward()
        self.opt_c.step()
        self.clip_weights()
        return -loss.item()

    def train_generator(self, n):
        for p in self.gan.critic.parameters():
            p.requires_grad_(False)
        loss = -self.gan.critic(self.gan.fake(n)).mean()
        self.opt_g.zero_grad()
        loss.backward()
        self.opt_g.step()
        for p in self.gan.critic.parameters():
            p.requires_grad_(True)
        return loss.item()

    def run(self, iterations, n=24):
        for i in range(iterations):
            for _ in range(self.critic_rounds):
                distance = self.train_critic(n)
            g = self.train_generator(n)
            if i % 4 == 3:
                print(f"iteration {i} distance {distance:.5f} generator {g:.5f}")


if __name__ == "__main__":
    torch.manual_seed(7)
    Experiment(WassersteinGAN(), Sampler()).run(8)
