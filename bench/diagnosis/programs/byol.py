"""BYOL: an online network predicts the projections of a slowly moving target."""

import copy

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(60)


def mlp(inputs, hidden, outputs):
    return nn.Sequential(nn.Linear(inputs, hidden), nn.BatchNorm1d(hidden), nn.ReLU(), nn.Linear(hidden, outputs))


class BYOL(nn.Module):
    def __init__(self, inputs, width):
        super().__init__()
        self.encoder = mlp(inputs, 20, width)
        self.predictor = mlp(width, 12, width)
        self.target = copy.deepcopy(self.encoder)
        for p in self.target.parameters():
            p.requires_grad = False

    def regression(self, online_view, target_view):
        prediction = F.normalize(self.predictor(self.encoder(online_view)), dim=1)
        with torch.no_grad():
            projection = F.normalize(self.target(target_view), dim=1)
        return 2 - 2 * (prediction * projection).sum(dim=1).mean()

    def forward(self, first, second):
        return self.regression(first, second) + self.regression(second, first)

    @torch.no_grad()
    def update_target(self, momentum):
        for online, target in zip(self.encoder.parameters(), self.target.parameters()):
            target.mul_(momentum).add_(online, alpha=1 - momentum)


def augment(x):
    return x * (1 + 0.1 * torch.randn(len(x), 1)) + 0.1 * torch.randn_like(x)


data = torch.randn(48, 10)
model = BYOL(10, 8)
trainable = [*model.encoder.parameters(), *model.predictor.parameters()]
optimizer = torch.optim.SGD(trainable, lr=0.05, momentum=0.9, weight_decay=1e-4)
for epoch in range(3):
    losses = []
    for x in data.split(16):
        loss = model(augment(x), augment(x))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        model.update_target(momentum=0.95)
        losses.append(loss.item())
    print(epoch, round(sum(losses) / len(losses), 4))
