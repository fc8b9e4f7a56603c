import math

import torch
from torch import autograd, nn, optim
from torch.utils.data import DataLoader, TensorDataset


def daily_temperatures(n, hours=24):
    t = torch.linspace(0, 2 * math.pi, hours)
    mean = 10 + 8 * torch.randn(n, 1)
    amp = 2 + 3 * torch.rand(n, 1)
    shift = 0.4 * torch.randn(n, 1)
    curve = mean + amp * torch.sin(t + shift) + 0.3 * torch.randn(n, hours)
    return (curve - 10) / 10


class CurveGenerator(nn.Module):
    def __init__(self, latent=8, hours=24):
        super().__init__()
        self.latent = latent
        self.fc = nn.Linear(latent, 8 * (hours // 4))
        self.net = nn.Sequential(
            nn.Upsample(scale_factor=2), nn.Conv1d(8, 16, 3, padding=1), nn.BatchNorm1d(16), nn.ReLU(),
            nn.Upsample(scale_factor=2), nn.Conv1d(16, 1, 3, padding=1),
        )

    def forward(self, z):
        return self.net(self.fc(z).view(z.size(0), 8, -1)).squeeze(1)


class CurveCritic(nn.Module):
    def __init__(self, hours=24):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1d(1, 16, 4, stride=2, padding=1), nn.LeakyReLU(0.2, inplace=True),
            nn.Conv1d(16, 16, 4, stride=2, padding=1), nn.LeakyReLU(0.2, inplace=True),
            nn.Flatten(), nn.Linear(16 * (hours // 4), 1),
        )

    def forward(self, x):
        return self.net(x.unsqueeze(1)).squeeze(1)


def gradient_penalty(critic, real, fake):
    eps = torch.rand(real.size(0), 1)
    mixed = (eps * real + (1 - eps) * fake).requires_grad_(True)
    score = critic(mixed)
    (g,) = autograd.grad(score.sum(), mixed, create_graph=True)
    return ((g.flatten(1).norm(2, dim=1) - 1) ** 2).mean()


class WGANGP:
    def __init__(self, n_critic=3, lambda_gp=10.0):
        self.gen, self.critic = CurveGenerator(), CurveCritic()
        self.n_critic, self.lambda_gp = n_critic, lambda_gp
        self.opt_g = optim.Adam(self.gen.parameters(), lr=5e-4, betas=(0.0, 0.9))
        self.opt_c = optim.Adam(self.critic.parameters(), lr=5e-4, betas=(0.0, 0.9))

    def toggle(self, module, flag):
        for p in module.parameters():
            p.requires_grad_(flag)

    def train_critic(self, real):
        fake = self.gen(torch.randn(len(real), self.gen.latent)).detach()
        loss = self.critic(fake).mean() - self.critic(real).mean()
        gp = gradient_penalty(self.critic, real, fake)
        self.opt_c.zero_grad()
        (loss + self.lambda_gp * gp).backward()
        self.opt_c.step()
        return {"w": -loss.item(), "gp": gp.item()}

    def train_generator(self, n):
        self.toggle(self.critic, False)
        loss = -self.critic(self.gen(torch.randn(n, self.gen.latent))).mean()
        self.opt_g.zero_grad()
        loss.backward()
        self.opt_g.step()
        self.toggle(self.critic, True)
        return {"g": loss.item()}

    def fit(self, loader, epochs):
        step = 0
        for epoch in range(epochs):
            logs = {}
            for (real,) in loader:
                step += 1
                logs.update(self.train_critic(real))
                if step % self.n_critic == 0:
                    logs.update(self.train_generator(len(real)))
            print(epoch, {k: round(v, 4) for k, v in sorted(logs.items())})


if __name__ == "__main__":
    torch.manual_seed(53)
    curves = daily_temperatures(192)
    model = WGANGP()
    model.fit(DataLoader(TensorDataset(curves), batch_size=32, shuffle=True), epochs=3)
    model.gen.eval()
    with torch.no_grad():
        fake = model.gen(torch.randn(100, model.gen.latent))
    print("mean gap", round((fake.mean() - curves.mean()).item(), 3))
