"""Sharpness-aware minimization as an optimizer around another one."""

import torch
from torch import nn

torch.manual_seed(36)


class SAM:
    def __init__(self, parameters, base, rho, **options):
        self.parameters = list(parameters)
        self.base = base(self.parameters, **options)
        self.rho = rho
        self.offsets = []

    def zero_grad(self):
        self.base.zero_grad()

    @torch.no_grad()
    def ascend(self):
        norm = torch.stack([p.grad.norm() for p in self.parameters]).norm()
        self.offsets = []
        for p in self.parameters:
            offset = self.rho / (norm + 1e-12) * p.grad
            p.add_(offset)
            self.offsets.append(offset)

    @torch.no_grad()
    def descend(self):
        for p, offset in zip(self.parameters, self.offsets):
            p.sub_(offset)
        self.base.step()


model = nn.Sequential(nn.Linear(3, 10), nn.Tanh(), nn.Linear(10, 3))
optimizer = SAM(model.parameters(), torch.optim.SGD, rho=0.05, lr=0.1, momentum=0.9)
x = torch.randn(36, 3)
y = x.argmax(dim=1)
criterion = nn.CrossEntropyLoss()


def batches(size):
    for rows in torch.randperm(len(x)).split(size):
        yield x[rows], y[rows]


for epoch in range(3):
    total = 0.0
    for xb, yb in batches(12):
        optimizer.zero_grad()
        loss = criterion(model(xb), yb)
        loss.backward()
        optimizer.ascend()

        optimizer.zero_grad()
        criterion(model(xb), yb).backward()
        optimizer.descend()
        total += loss.item()
    with torch.no_grad():
        accuracy = (model(x).argmax(dim=1) == y).float().mean().item()
    print(f"epoch {epoch}: loss {total / 3:.4f}, accuracy {accuracy:.2f}")
