from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class ProjectorConfig:
    w_dim: int = 16
    num_layers: int = 3
    w_avg_samples: int = 128
    steps: int = 25
    lr: float = 0.05
    noise_reg: float = 1e-3


class MappingNetwork(nn.Module):
    def __init__(self, dim, layers=3):
        super().__init__()
        blocks = []
        for _ in range(layers):
            blocks += [nn.Linear(dim, dim), nn.LeakyReLU(0.2)]
        self.net = nn.Sequential(*blocks)

    def forward(self, z):
        return self.net(F.normalize(z, dim=1))


class StyledLayer(nn.Module):
    def __init__(self, w_dim, cin, cout, up):
        super().__init__()
        self.up = up
        self.conv = nn.Conv2d(cin, cout, 3, padding=1)
        self.affine = nn.Linear(w_dim, cin)
        nn.init.normal_(self.affine.weight, std=2.0)

    def forward(self, x, w):
        if self.up:
            x = F.interpolate(x, scale_factor=2)
        return F.leaky_relu(self.conv(x * (1 + self.affine(w))[:, :, None, None]), 0.2)


class Generator(nn.Module):
    def __init__(self, cfg, ch=12):
        super().__init__()
        self.mapping = MappingNetwork(cfg.w_dim)
        self.const = nn.Parameter(torch.randn(1, ch, 4, 4))
        self.layers = nn.ModuleList(StyledLayer(cfg.w_dim, ch, ch, up=i > 0) for i in range(cfg.num_layers))
        self.to_rgb = nn.Conv2d(ch, 3, 1)

    def synthesis(self, w):
        x = self.const.expand(w.size(0), -1, -1, -1)
        for layer in self.layers:
            x = layer(x, w)
        return torch.tanh(self.to_rgb(x))

    def forward(self, z):
        return self.synthesis(self.mapping(z))


class Projector:
    def __init__(self, generator, cfg):
        self.G, self.cfg = generator.eval(), cfg

    def latent_statistics(self):
        z = torch.randn(self.cfg.w_avg_samples, self.cfg.w_dim)
        w = self.G.mapping(z)
        w_avg = w.mean(dim=0, keepdim=True)
        w_std = ((w - w_avg).pow(2).sum() / len(w)).sqrt().item()
        return w_avg, w_std

    def project(self, target):
        w_avg, w_std = self.latent_statistics()
        w = w_avg.detach().requires_grad_(True)
        optimizer = torch.optim.Adam([w], lr=self.cfg.lr, betas=(0.9, 0.999))
        history = []
        for step in range(self.cfg.steps):
            strength = w_std * 0.05 * max(0.0, 1 - step / (0.75 * self.cfg.steps)) ** 2
            image = self.G.synthesis(w + torch.randn_like(w) * strength)
            dist = F.mse_loss(image, target)
            loss = dist + self.cfg.noise_reg * w.pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            history.append(dist.item())
        return w.detach(), history


def main():
    torch.manual_seed(12)
    cfg = ProjectorConfig()
    G = Generator(cfg)
    with torch.no_grad():
        target = G(torch.randn(1, cfg.w_dim))
    w, history = Projector(G, cfg).project(target)
    print(f"distance {history[0]:.3e} -> {history[-1]:.3e}, |w| {w.norm():.3f}")


if __name__ == "__main__":
    main()
