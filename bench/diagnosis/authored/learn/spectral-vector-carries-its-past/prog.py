import torch
from torch import nn
import torch.nn.functional as F


class SNLinear(nn.Module):
    """Linear layer with unit spectral norm."""

    def __init__(self, inputs, outputs, rounds=1):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(outputs, inputs) / inputs ** 0.5)
        self.bias = nn.Parameter(torch.zeros(outputs))
        self.u = F.normalize(torch.randn(outputs), dim=0)
        self.rounds = rounds

    def sigma(self):
        u = self.u
        for _ in range(self.rounds):
            v = F.normalize(self.weight.t() @ u, dim=0)
            u = F.normalize(self.weight @ v, dim=0)
        self.u = u
        return u @ self.weight @ v

    def forward(self, x):
        return F.linear(x, self.weight / self.sigma(), self.bias)


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1, self.l2, self.l3 = SNLinear(2, 24), SNLinear(24, 24), SNLinear(24, 1)

    def forward(self, x):
        h = F.leaky_relu(self.l1(x), 0.2)
        return self.l3(F.leaky_relu(self.l2(h), 0.2)).squeeze(1)


class Generator(nn.Module):
    def __init__(self, latent=4):
        super().__init__()
        self.latent = latent
        self.net = nn.Sequential(nn.Linear(latent, 24), nn.ReLU(), nn.Linear(24, 2))

    def forward(self, n):
        return self.net(torch.randn(n, self.latent))


def ring(n):
    angle = 6.283 * torch.rand(n)
    return torch.stack([angle.cos(), angle.sin()], dim=1) + 0.05 * torch.randn(n, 2)


def hinge_d(real, fake):
    return F.relu(1 - real).mean() + F.relu(1 + fake).mean()


def main(iterations=10, batch=24):
    torch.manual_seed(10)
    disc, gen = Discriminator(), Generator()
    opt_d = torch.optim.Adam(disc.parameters(), lr=2e-3, betas=(0.0, 0.9))
    opt_g = torch.optim.Adam(gen.parameters(), lr=1e-3, betas=(0.0, 0.9))
    for it in range(iterations):
        both = torch.cat([ring(batch), gen(batch).detach()])
        score = disc(both)
        loss_d = hinge_d(score[:batch], score[batch:])
        opt_d.zero_grad()
        loss_d.backward()
        opt_d.step()

        loss_g = -disc(gen(batch)).mean()
        opt_g.zero_grad()
        loss_g.backward()
        opt_g.step()
        if it % 5 == 4:
            print(f"it {it} d {loss_d.item():.4f} g {loss_g.item():.4f}")


if __name__ == "__main__":
    main()
