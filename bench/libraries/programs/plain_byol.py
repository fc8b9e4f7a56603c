"""BYOL: an online network predicts the projection of a slowly moving target.

packages: torch
"""
import copy

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
encoder = nn.Sequential(nn.Linear(10, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 8))
predictor = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 8))
target = copy.deepcopy(encoder)
for p in target.parameters():
    p.requires_grad = False
optimizer = torch.optim.SGD([*encoder.parameters(), *predictor.parameters()], lr=0.05, momentum=0.9, weight_decay=1e-4)


def distance(p, z):
    return 2 - 2 * (F.normalize(p, dim=-1) * F.normalize(z, dim=-1)).sum(-1).mean()


data = torch.randn(32, 10)
for step in range(5):
    a, b = data + 0.1 * torch.randn_like(data), data + 0.1 * torch.randn_like(data)
    with torch.no_grad():
        za, zb = target(a), target(b)
    loss = distance(predictor(encoder(a)), zb) + distance(predictor(encoder(b)), za)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    with torch.no_grad():
        for p, t in zip(encoder.parameters(), target.parameters()):
            t.lerp_(p, 0.01)
    print(step, round(loss.item(), 4))
