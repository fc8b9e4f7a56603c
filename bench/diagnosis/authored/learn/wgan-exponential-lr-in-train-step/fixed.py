import argparse

import torch
import torch.nn as nn
from torch.optim.lr_scheduler import ExponentialLR


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--n-critic", type=int, default=2)
    parser.add_argument("--lr", type=float, default=2e-3)
    parser.add_argument("--lr-decay", type=float, default=0.8, help="decay of the learning rate per epoch")
    parser.add_argument("--clip", type=float, default=0.05)
    parser.add_argument("--latent", type=int, default=4)
    return parser.parse_args([])


class Generator(nn.Module):
    def __init__(self, latent):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(latent, 32), nn.ReLU(), nn.Linear(32, 2))

    def forward(self, z):
        return self.net(z)


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))

    def forward(self, x):
        return self.net(x).squeeze(1)


def ring(n):
    angle = 2 * torch.pi * torch.randint(8, (n,)) / 8
    return torch.stack([angle.cos(), angle.sin()], dim=1) + 0.05 * torch.randn(n, 2)


class WGAN:
    def __init__(self, args):
        self.args = args
        self.G, self.D = Generator(args.latent), Critic()
        self.opt_g = torch.optim.RMSprop(self.G.parameters(), lr=args.lr)
        self.opt_d = torch.optim.RMSprop(self.D.parameters(), lr=args.lr)
        self.schedulers = [ExponentialLR(o, gamma=args.lr_decay) for o in (self.opt_g, self.opt_d)]

    def noise(self, n):
        return torch.randn(n, self.args.latent)

    def critic_step(self, real):
        with torch.no_grad():
            fake = self.G(self.noise(len(real)))
        loss = self.D(fake).mean() - self.D(real).mean()
        self.opt_d.zero_grad()
        loss.backward()
        self.opt_d.step()
        with torch.no_grad():
            for p in self.D.parameters():
                p.clamp_(-self.args.clip, self.args.clip)
        return -loss.item()

    def generator_step(self, n):
        loss = -self.D(self.G(self.noise(n))).mean()
        self.opt_g.zero_grad()
        loss.backward()
        self.opt_g.step()
        return loss.item()

    def optimize(self, real, step):
        stats = {"w_dist": self.critic_step(real)}
        if step % self.args.n_critic == 0:
            stats["g_loss"] = self.generator_step(len(real))
        stats["lr"] = self.opt_g.param_groups[0]["lr"]
        return stats


def main():
    args = parse_args()
    torch.manual_seed(21)
    data = ring(320)
    gan = WGAN(args)
    for epoch in range(args.epochs):
        for step, idx in enumerate(torch.randperm(len(data)).split(args.batch_size)):
            stats = gan.optimize(data[idx], step)
        for s in gan.schedulers:
            s.step()
        print(epoch, {k: round(v, 8) for k, v in stats.items()})
    with torch.no_grad():
        radius = gan.G(gan.noise(200)).norm(dim=1)
    print("mean radius %.3f (data 1.0)" % radius.mean().item())
    return gan


if __name__ == "__main__":
    gan = main()
