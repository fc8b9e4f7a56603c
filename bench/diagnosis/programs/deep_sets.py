"""Estimates the spread of a set; the set encoder pools over its elements."""

import torch
import torch.nn as nn

torch.manual_seed(75)


class DeepSet(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.element = nn.Sequential(nn.Linear(1, hidden), nn.ReLU(), nn.Linear(hidden, hidden))
        self.attention = nn.Linear(hidden, 1)
        self.rho = nn.Sequential(nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def forward(self, sets):
        h = self.element(sets)
        weights = torch.softmax(self.attention(h), dim=1)
        pooled = (weights * h).sum(dim=1)
        return self.rho(pooled)


def make_sets(n, size):
    scale = 0.5 + torch.rand(n, 1)
    values = scale * torch.randn(n, size)
    return values.unsqueeze(2), values.std(dim=1, keepdim=True)


class Standardizer:
    def __init__(self, y):
        self.mean, self.std = y.mean(), y.std()

    def encode(self, y):
        return (y - self.mean) / self.std

    def decode(self, y):
        return y * self.std + self.mean


ACCUMULATE = 2
sets, spread = make_sets(48, 7)
scale = Standardizer(spread)
model = DeepSet(10)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(4):
    optimizer.zero_grad()
    running = 0.0
    for i, rows in enumerate(torch.randperm(48).split(12)):
        prediction = model(sets[rows])
        loss = (prediction - scale.encode(spread[rows])).pow(2).mean() / ACCUMULATE
        loss.backward()
        running += loss.item()
        if i % ACCUMULATE == ACCUMULATE - 1:
            optimizer.step()
            optimizer.zero_grad()
    print(epoch, round(running / ACCUMULATE, 4))
with torch.no_grad():
    sets, spread = make_sets(16, 7)
    print("error", (scale.decode(model(sets)) - spread).abs().mean().item())
