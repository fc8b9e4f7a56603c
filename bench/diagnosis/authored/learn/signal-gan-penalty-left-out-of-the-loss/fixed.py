import torch
from torch import nn


def beats(n, length=16):
    t = torch.linspace(0, 1, length)
    centre = 0.3 + 0.4 * torch.rand(n, 1)
    return torch.exp(-(t - centre) ** 2 / 0.01) + 0.02 * torch.randn(n, length)


class Generator(nn.Module):
    def __init__(self, nz=6, length=16):
        super().__init__()
        self.fc = nn.Linear(nz, 8 * 4)
        self.up = nn.Sequential(
            nn.ConvTranspose1d(8, 8, 4, 2, 1), nn.ReLU(),
            nn.ConvTranspose1d(8, 1, 4, 2, 1),
        )

    def forward(self, z):
        return self.up(torch.relu(self.fc(z)).view(-1, 8, 4)).squeeze(1)


class Critic(nn.Module):
    def __init__(self, length=16):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(1, 8, 4, 2, 1), nn.LeakyReLU(0.2),
            nn.Conv1d(8, 16, 4, 2, 1), nn.LeakyReLU(0.2),
        )
        self.fc = nn.Linear(16 * length // 4, 1)

    def forward(self, x):
        return self.fc(self.conv(x.unsqueeze(1)).flatten(1))


def compute_gradient_penalty(critic, real, fake):
    alpha = torch.rand(len(real), 1)
    mixed = (alpha * real + (1 - alpha) * fake).requires_grad_(True)
    out = critic(mixed)
    grad, = torch.autograd.grad(out, mixed, grad_outputs=torch.ones_like(out), create_graph=True)
    return ((grad.norm(2, dim=1) - 1) ** 2).mean()


class WGAN:
    def __init__(self, nz=6, weight=10.0, n_critic=2):
        self.nz, self.weight, self.n_critic = nz, weight, n_critic
        self.g, self.d = Generator(nz), Critic()
        self.opt_g = torch.optim.Adam(self.g.parameters(), lr=1e-3, betas=(0.5, 0.9))
        self.opt_d = torch.optim.Adam(self.d.parameters(), lr=1e-3, betas=(0.5, 0.9))

    def critic_step(self, real):
        fake = self.g(torch.randn(len(real), self.nz)).detach()
        loss_d = self.d(fake).mean() - self.d(real).mean()
        gradient_penalty = compute_gradient_penalty(self.d, real, fake)
        self.opt_d.zero_grad()
        (loss_d + self.weight * gradient_penalty).backward()
        self.opt_d.step()
        return loss_d.item(), gradient_penalty.item()

    def generator_step(self, n):
        loss_g = -self.d(self.g(torch.randn(n, self.nz))).mean()
        self.opt_g.zero_grad()
        loss_g.backward()
        self.opt_g.step()
        return loss_g.item()


torch.manual_seed(2)
gan = WGAN()
for it in range(8):
    for _ in range(gan.n_critic):
        loss_d, penalty = gan.critic_step(beats(16))
    loss_g = gan.generator_step(16)
    if it % 4 == 3:
        print(f"{it} d {loss_d:.4f} gp {penalty:.4f} g {loss_g:.4f}")
