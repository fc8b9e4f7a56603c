"""Fine-tunes the head of a network first, and then, with a smaller rate, all of it."""

import torch
from torch import nn

torch.manual_seed(34)


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(2, 8, 3, padding=1)
        self.norm = nn.BatchNorm1d(8)
        self.project = nn.Linear(8, 12)

    def forward(self, x):
        h = self.norm(self.conv(x)).relu()
        return self.project(h.mean(dim=2))


class Classifier(nn.Module):
    def __init__(self, backbone, classes):
        super().__init__()
        self.backbone = backbone
        self.head = nn.Linear(12, classes)

    def forward(self, x):
        return self.head(torch.relu(self.backbone(x)))


def set_trainable(module, trainable):
    for p in module.parameters():
        p.requires_grad = trainable


def signals(n):
    label = torch.arange(n) % 2
    t = torch.linspace(0, 6.28, 10)
    frequency = (1 + label).float().view(n, 1, 1)
    wave = torch.sin(frequency * t).expand(n, 2, 10)
    return wave + 0.2 * torch.randn(n, 2, 10), label


def run_epoch(model, optimizer, x, y, frozen):
    model.train()
    if frozen:
        model.backbone.eval()
    total = 0.0
    for xb, yb in zip(x.split(8), y.split(8)):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(xb), yb)
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total / (len(x) // 8)


x, y = signals(32)
model = Classifier(Backbone(), 2)
set_trainable(model.backbone, False)
optimizer = torch.optim.Adam(model.head.parameters(), lr=1e-2)
for epoch in range(2):
    print("head", epoch, round(run_epoch(model, optimizer, x, y, frozen=True), 4))
set_trainable(model.backbone, True)
groups = [{"params": model.backbone.parameters(), "lr": 1e-3}, {"params": model.head.parameters()}]
optimizer = torch.optim.Adam(groups, lr=5e-3)
for epoch in range(2):
    print("all", epoch, round(run_epoch(model, optimizer, x, y, frozen=False), 4))
model.eval()
with torch.no_grad():
    print("accuracy", (model(x).argmax(1) == y).float().mean().item())
