import math
import random

import torch
from torch import nn
from torch.nn.functional import mse_loss


class GradientPolicy:
    """Multiplies the gradients of named groups, e.g. to slow down or to hold a part."""

    def __init__(self, factors):
        self.factors = factors
        self.handles = []

    def install(self, model):
        for prefix, factor in self.factors.items():
            for name, p in model.named_parameters():
                if name.startswith(prefix):
                    self.handles.append(p.register_hook(lambda grad: grad * factor))

    def remove(self):
        while self.handles:
            self.handles.pop().remove()


class StationEmbedding(nn.Module):
    def __init__(self, stations, dim):
        super().__init__()
        self.table = nn.Embedding(stations, dim)
        with torch.no_grad():
            angle = torch.arange(stations).float() * 2 * math.pi / stations
            self.table.weight[:, 0], self.table.weight[:, 1] = angle.sin(), angle.cos()

    def forward(self, ids):
        return self.table(ids)


class DemandModel(nn.Module):
    def __init__(self, stations=8, dim=4, hidden=24):
        super().__init__()
        self.station = StationEmbedding(stations, dim)
        self.trunk = nn.Sequential(nn.Linear(dim + 3, hidden), nn.ELU(), nn.Linear(hidden, hidden), nn.ELU())
        self.mean = nn.Linear(hidden, 1)
        self.scale = nn.Linear(hidden, 1)

    def forward(self, ids, features):
        h = self.trunk(torch.cat([self.station(ids), features], dim=1))
        return self.mean(h).squeeze(1), nn.functional.softplus(self.scale(h)).squeeze(1) + 1e-3


def bike_records(n, stations=8, seed=5):
    rng = random.Random(seed)
    ids, rows, demand = [], [], []
    for _ in range(n):
        s, hour, rain = rng.randrange(stations), rng.randrange(24), rng.random() < 0.3
        phase = 2 * math.pi * hour / 24
        ids.append(s)
        rows.append([math.sin(phase), math.cos(phase), float(rain)])
        demand.append(2 + math.sin(phase + s) - (1.0 if rain else 0.0) + rng.gauss(0, 0.2))
    return torch.tensor(ids), torch.tensor(rows), torch.tensor(demand)


def gaussian_nll(mean, scale, y):
    return (torch.log(scale) + 0.5 * ((y - mean) / scale) ** 2).mean()


def train(model, data, epochs=5, batch=40, lr=1e-2):
    ids, features, demand = data
    optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
    for epoch in range(epochs):
        order = torch.randperm(len(ids))
        total = 0.0
        for idx in order.split(batch):
            mean, scale = model(ids[idx], features[idx])
            loss = gaussian_nll(mean, scale, demand[idx])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(idx)
        print("epoch", epoch, "nll %.4f" % (total / len(ids)))


torch.manual_seed(55)
train_data, test_data = bike_records(240), bike_records(80, seed=6)
model = DemandModel()
policy = GradientPolicy({"trunk": 1.0, "mean": 1.0, "scale": 0.5, "station": 0.0})
policy.install(model)
train(model, train_data)
policy.remove()
with torch.no_grad():
    mean, _ = model(*test_data[:2])
print("test rmse %.4f" % math.sqrt(mse_loss(mean, test_data[2]).item()))
