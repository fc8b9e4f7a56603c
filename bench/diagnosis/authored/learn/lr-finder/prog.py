import copy
import math

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class ResidualMLP(nn.Module):
    def __init__(self, features, width=32, blocks=3, classes=3):
        super().__init__()
        self.inp = nn.Linear(features, width)
        self.blocks = nn.ModuleList(
            nn.Sequential(nn.LayerNorm(width), nn.Linear(width, width), nn.GELU(), nn.Linear(width, width))
            for _ in range(blocks)
        )
        self.out = nn.Linear(width, classes)

    def forward(self, x):
        h = self.inp(x)
        for block in self.blocks:
            h = h + block(h)
        return self.out(h)


class LRFinder:
    """Exponential sweep of the learning rate with a smoothed loss."""

    def __init__(self, model, optimizer, criterion, beta=0.9):
        self.model, self.optimizer, self.criterion = model, optimizer, criterion
        self.beta = beta
        self.avg_loss, self.best_loss = 0.0, None
        self.lrs, self.losses = [], []
        self.state = copy.deepcopy({"model": model.state_dict(), "optimizer": optimizer.state_dict()})

    def _forward_backward(self, x, y):
        self.optimizer.zero_grad()
        loss = self.criterion(self.model(x), y)
        loss.backward()
        self.optimizer.step()
        return loss

    def _smooth(self, loss, iteration):
        self.avg_loss = self.beta * self.avg_loss + (1 - self.beta) * loss
        return self.avg_loss / (1 - self.beta ** iteration)

    def range_test(self, loader, start=1e-4, end=1.0, num_iter=60):
        gamma = (end / start) ** (1 / num_iter)
        lr, iterator = start, iter(loader)
        for iteration in range(1, num_iter + 1):
            try:
                x, y = next(iterator)
            except StopIteration:
                iterator = iter(loader)
                x, y = next(iterator)
            for group in self.optimizer.param_groups:
                group["lr"] = lr
            smoothed = self._smooth(self._forward_backward(x, y), iteration)
            self.lrs.append(lr)
            self.losses.append(float(smoothed))
            if self.best_loss is None or self.losses[-1] < self.best_loss:
                self.best_loss = self.losses[-1]
            if self.losses[-1] > 4 * self.best_loss:
                break
            lr *= gamma

    def suggestion(self, skip=5):
        drops = [b - a for a, b in zip(self.losses[skip:-1], self.losses[skip + 1:])]
        return self.lrs[skip + drops.index(min(drops))]

    def reset(self):
        self.model.load_state_dict(self.state["model"])
        self.optimizer.load_state_dict(self.state["optimizer"])


def spirals(n):
    t = torch.rand(n) * 3 * math.pi
    k = torch.randint(0, 3, (n,))
    angle = t + k * 2 * math.pi / 3
    return torch.stack([t * angle.cos(), t * angle.sin()], dim=1) / 9 + 0.02 * torch.randn(n, 2), k


if __name__ == "__main__":
    torch.manual_seed(19)
    x, y = spirals(384)
    loader = DataLoader(TensorDataset(x, y), batch_size=32, shuffle=True)
    model = ResidualMLP(2)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3, momentum=0.9)
    finder = LRFinder(model, optimizer, nn.CrossEntropyLoss())
    finder.range_test(loader)
    lr = finder.suggestion()
    finder.reset()
    for group in optimizer.param_groups:
        group["lr"] = lr
    print(f"{len(finder.lrs)} iterations, suggested lr {lr:.2e}, lowest loss {min(finder.losses):.4f}")
    with torch.no_grad():
        print("accuracy before training", round((model(x).argmax(1) == y).float().mean().item(), 3))
