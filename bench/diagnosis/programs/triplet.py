"""Metric learning with semi-hard triplets mined in the batch."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(18)


def embedder():
    return nn.Sequential(nn.Linear(8, 20), nn.ReLU(inplace=True), nn.Linear(20, 4))


def pairwise_distances(z):
    squares = (z * z).sum(dim=1)
    distances = squares.unsqueeze(0) - 2 * z @ z.t() + squares.unsqueeze(1)
    return distances.clamp(min=0)


def mine(distances, labels):
    """For each anchor the farthest positive and the nearest negative."""
    same = labels.unsqueeze(0) == labels.unsqueeze(1)
    with torch.no_grad():
        positive = distances.masked_fill(~same, -1.0).argmax(dim=1)
        negative = distances.masked_fill(same, float("inf")).argmin(dim=1)
    return positive, negative


def triplet_loss(z, labels, margin):
    distances = pairwise_distances(z)
    positive, negative = mine(distances, labels)
    rows = torch.arange(len(z))
    return F.relu(distances[rows, positive] - distances[rows, negative] + margin).mean()


def recall_at_one(z, labels):
    distances = pairwise_distances(z)
    distances.fill_diagonal_(float("inf"))
    nearest = distances.argmin(dim=1)
    return (labels[nearest] == labels).float().mean().item()


labels = torch.arange(30) % 5
centers = torch.randn(5, 8)
data = centers[labels] + 0.4 * torch.randn(30, 8)
model = embedder()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=5)
for epoch in range(4):
    model.train()
    epoch_loss = []
    for rows in torch.randperm(30).split(15):
        z = F.normalize(model(data[rows]), dim=1)
        loss = triplet_loss(z, labels[rows], margin=0.2)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        epoch_loss.append(loss.item())
    scheduler.step()
    model.eval()
    with torch.no_grad():
        recall = recall_at_one(F.normalize(model(data), dim=1), labels)
    print(epoch, sum(epoch_loss) / len(epoch_loss), recall)
