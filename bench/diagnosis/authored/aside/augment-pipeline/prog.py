import random
from dataclasses import dataclass, field
from typing import List

import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class TrainConfig:
    batch_size: int = 16
    epochs: int = 3
    lr: float = 0.05
    mix: float = 0.3
    milestones: List[int] = field(default_factory=lambda: [2])


class GalaxyImages:
    def __init__(self, n=80, size=12, seed=0):
        g = torch.Generator().manual_seed(seed)
        self.y = torch.randint(0, 3, (n,), generator=g)
        grid = torch.linspace(-1, 1, size)
        yy, xx = torch.meshgrid(grid, grid, indexing="ij")
        r = (xx ** 2 + yy ** 2).sqrt()
        kinds = torch.stack([torch.exp(-4 * r), torch.exp(-8 * (r - 0.6) ** 2), torch.exp(-6 * xx ** 2)])
        self.x = kinds[self.y].unsqueeze(1) + 0.2 * torch.randn(n, 1, size, size, generator=g)

    def batches(self, size, rng):
        order = list(range(len(self.y)))
        rng.shuffle(order)
        for i in range(0, len(order), size):
            idx = order[i:i + size]
            yield self.x[idx], self.y[idx]


class Augment:
    def __init__(self, mix, rng):
        self.mix, self.rng = mix, rng

    def __call__(self, x, y):
        x = torch.rot90(x, self.rng.randrange(4), dims=(2, 3))
        if self.rng.random() < 0.5:
            x = x.flip(3)
        target = F.one_hot(y, 3).float()
        perm = torch.randperm(len(x))
        return (1 - self.mix) * x + self.mix * x[perm], (1 - self.mix) * target + self.mix * target[perm]


def prefetch(batches, transform):
    with torch.no_grad():
        for x, y in batches:
            yield transform(x, y)


class GalaxyNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.AvgPool2d(2),
            nn.Conv2d(8, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.AdaptiveAvgPool2d(2),
        )
        self.fc = nn.Linear(64, 3)

    def forward(self, x):
        return self.fc(self.features(x).flatten(1))


def soft_cross_entropy(logits, target):
    return -(target * F.log_softmax(logits, dim=1)).sum(dim=1).mean()


def fit(model, data, cfg, rng):
    opt = torch.optim.SGD(model.parameters(), lr=cfg.lr, momentum=0.9, nesterov=True)
    sched = torch.optim.lr_scheduler.MultiStepLR(opt, cfg.milestones, gamma=0.1)
    augment = Augment(cfg.mix, rng)
    for epoch in range(cfg.epochs):
        model.train()
        losses = []
        for x, target in prefetch(data.batches(cfg.batch_size, rng), augment):
            opt.zero_grad()
            loss = soft_cross_entropy(model(x), target)
            loss.backward()
            opt.step()
            losses.append(loss.item())
        sched.step()
        print(f"epoch {epoch}: {sum(losses) / len(losses):.4f}")


torch.manual_seed(1)
rng = random.Random(1)
net, galaxies = GalaxyNet(), GalaxyImages()
fit(net, galaxies, TrainConfig(), rng)
net.eval()
with torch.no_grad():
    print("accuracy", (net(galaxies.x).argmax(1) == galaxies.y).float().mean().item())
