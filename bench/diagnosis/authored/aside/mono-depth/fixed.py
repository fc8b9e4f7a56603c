from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class DepthConfig:
    min_depth: float = 1.0
    max_depth: float = 12.0
    base: int = 8
    lr: float = 2e-3
    epochs: int = 4
    batch_size: int = 12


class Encoder(nn.Module):
    def __init__(self, base):
        super().__init__()
        self.stages = nn.ModuleList([
            nn.Sequential(nn.Conv2d(1, base, 3, padding=1), nn.BatchNorm2d(base), nn.ELU()),
            nn.Sequential(nn.Conv2d(base, 2 * base, 3, stride=2, padding=1), nn.BatchNorm2d(2 * base), nn.ELU()),
        ])

    def forward(self, x):
        feats = []
        for stage in self.stages:
            x = stage(x)
            feats.append(x)
        return feats


class Decoder(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg
        self.fuse = nn.Sequential(nn.Conv2d(3 * cfg.base, cfg.base, 3, padding=1), nn.ELU())
        self.predict = nn.Conv2d(cfg.base, 1, 1)

    def to_depth(self, raw):
        return self.cfg.min_depth + (self.cfg.max_depth - self.cfg.min_depth) * torch.sigmoid(raw)

    def forward(self, feats):
        up = F.interpolate(feats[1], scale_factor=2, mode="nearest")
        return self.to_depth(self.predict(self.fuse(torch.cat([feats[0], up], dim=1))))


class DepthNet(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.encoder, self.decoder = Encoder(cfg.base), Decoder(cfg)

    def forward(self, x):
        return self.decoder(self.encoder(x))


def silog(pred, target, lam=0.5):
    d = pred.log() - target.log()
    return (d.pow(2).mean() - lam * d.mean().pow(2) + 1e-6).sqrt()


def corridor(n, cfg, size=12):
    rows = torch.linspace(0, 1, size).view(1, 1, size, 1).expand(n, 1, size, size)
    slope = torch.rand(n, 1, 1, 1) * 7 + 2
    depth = (1.5 + slope * rows).clamp(cfg.min_depth, cfg.max_depth)
    image = 1 / depth + 0.02 * torch.randn_like(depth)
    return (image - image.mean()) / image.std(), depth


def metrics(model, images, depth):
    model.eval()
    with torch.no_grad():
        pred = model(images)
    model.train()
    ratio = torch.maximum(pred / depth, depth / pred)
    return {"abs_rel": ((pred - depth).abs() / depth).mean().item(), "d1": (ratio < 1.25).float().mean().item()}


def fit(model, cfg, images, depth):
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    loader = DataLoader(TensorDataset(images, depth), batch_size=cfg.batch_size, shuffle=True)
    for epoch in range(cfg.epochs):
        total = 0.0
        for x, d in loader:
            loss = silog(model(x), d)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(epoch, round(total / len(loader), 5))


if __name__ == "__main__":
    torch.manual_seed(44)
    cfg = DepthConfig()
    images, depth = corridor(60, cfg)
    model = DepthNet(cfg)
    fit(model, cfg, images[:48], depth[:48])
    print(metrics(model, images[48:], depth[48:]))
