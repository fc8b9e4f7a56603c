import math
from typing import List, Tuple

import torch
import torch.nn as nn
import torch.nn.functional as F


class RoadNetwork:
    def __init__(self, sensors: int = 30, radius: float = 0.65):
        self.coords = torch.rand(sensors, 2)
        self.adj = (torch.cdist(self.coords, self.coords) < radius).float()

    def simulate(self, hours: int) -> torch.Tensor:
        speed = 50 + 5 * torch.randn(len(self.coords))
        rows = []
        mixing = self.adj / self.adj.sum(1, keepdim=True)
        for h in range(hours):
            rush = -15 * math.exp(-((h % 24 - 8) ** 2) / 6) - 12 * math.exp(-((h % 24 - 17) ** 2) / 6)
            speed = 0.6 * (mixing @ speed) + 0.4 * (52 + rush) + 2 * torch.randn(len(self.coords))
            rows.append(speed)
        return torch.stack(rows)


class Standardiser:
    def fit(self, x: torch.Tensor) -> "Standardiser":
        self.mean, self.std = x.mean(), x.std()
        return self

    def transform(self, x: torch.Tensor) -> torch.Tensor:
        return (x - self.mean) / self.std

    def inverse(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.std + self.mean


class Propagation(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.neighbours = nn.Linear(dim, dim)
        self.own = nn.Linear(dim, dim)

    def forward(self, h: torch.Tensor, adj: torch.Tensor) -> torch.Tensor:
        messages = torch.einsum("ij,bjd->bid", adj, h)
        return F.leaky_relu(self.neighbours(messages) + self.own(h), 0.1)


class TrafficGNN(nn.Module):
    def __init__(self, lags: int, dim: int = 16, depth: int = 8):
        super().__init__()
        self.lift = nn.Linear(lags, dim)
        self.steps = nn.ModuleList([Propagation(dim) for _ in range(depth)])
        self.readout = nn.Linear(dim, 1)

    def forward(self, x: torch.Tensor, adj: torch.Tensor) -> torch.Tensor:
        h = self.lift(x)
        for step in self.steps:
            h = step(h, adj)
        return self.readout(h).squeeze(-1)


def windows(series: torch.Tensor, lags: int) -> Tuple[torch.Tensor, torch.Tensor]:
    x = series.unfold(0, lags, 1)[:-1]
    return x, series[lags:]


def grad_norm(model: nn.Module) -> float:
    return torch.stack([p.grad.norm() for p in model.parameters()]).norm().item()


def train(model, adj, x, y, epochs=4, batch=24, lr=1e-3) -> List[float]:
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    norms = []
    for epoch in range(epochs):
        for idx in torch.randperm(len(x)).split(batch):
            optimizer.zero_grad()
            loss = F.l1_loss(model(x[idx], adj), y[idx])
            loss.backward()
            norms.append(grad_norm(model))
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
        print(f"epoch {epoch} mae {loss.item():.4g} gradient norm {norms[-1]:.4g}")
    return norms


if __name__ == "__main__":
    torch.manual_seed(77)
    network = RoadNetwork()
    speeds = network.simulate(24 * 6)
    scaler = Standardiser().fit(speeds)
    x, y = windows(scaler.transform(speeds), lags=6)
    model = TrafficGNN(lags=6)
    norms = train(model, network.adj, x, y)
    with torch.no_grad():
        forecast = scaler.inverse(model(x[-1:], network.adj))
    print("largest gradient norm %.3g, mean forecast %.3g km/h" % (max(norms), forecast.mean()))
