"""Metric learning with semi-hard negatives and a proxy per class."""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(123)


class Embedder(nn.Module):
    def __init__(self, inputs, width, outputs):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(inputs, width), nn.LayerNorm(width), nn.ELU(), nn.Linear(width, outputs))

    def forward(self, x):
        return F.normalize(self.net(x), dim=-1)


class ProxyLoss(nn.Module):
    def __init__(self, classes, width, scale):
        super().__init__()
        self.proxies = nn.Parameter(torch.randn(classes, width))
        self.scale = scale

    def forward(self, embedded, labels):
        similarity = embedded @ F.normalize(self.proxies, dim=1).t()
        return F.cross_entropy(self.scale * similarity, labels)


def mine(embedded, labels, margin):
    """For each anchor, the farthest positive and the hardest negative that is farther than it."""
    with torch.no_grad():
        distances = torch.cdist(embedded, embedded)
        same = labels.unsqueeze(0) == labels.unsqueeze(1)
        positive = distances.masked_fill(~same, -1.0).argmax(dim=1)
        reach = distances.gather(1, positive.unsqueeze(1))
        semi_hard = distances.masked_fill(same | (distances < reach), 10.0)
        negative = semi_hard.argmin(dim=1)
        useful = semi_hard.min(dim=1).values < reach.squeeze(1) + margin
    return positive, negative, useful


def triplet_loss(embedded, labels, margin):
    positive, negative, useful = mine(embedded, labels, margin)
    near = (embedded - embedded[positive]).pow(2).sum(dim=1)
    far = (embedded - embedded[negative]).pow(2).sum(dim=1)
    losses = F.relu(near - far + margin) * useful.float()
    return losses.sum() / useful.sum().clamp(min=1)


def episodes(centres, n):
    labels = torch.arange(len(centres)).repeat_interleave(n)
    return centres[labels] + 0.8 * torch.randn(len(labels), centres.shape[1]), labels


def retrieval(embedder, x, labels):
    with torch.no_grad():
        embedded = embedder(x)
        distances = torch.cdist(embedded, embedded)
        distances.fill_diagonal_(10.0)
        nearest = distances.argmin(dim=1)
    return (labels[nearest] == labels).float().mean().item()


centres = 1.2 * torch.randn(5, 8)
embedder = Embedder(8, 24, 6)
proxy_loss = ProxyLoss(5, 6, scale=8.0)
optimizer = torch.optim.Adam(embedder.parameters(), lr=5e-3)
proxy_optimizer = torch.optim.SGD(proxy_loss.parameters(), lr=0.1)
for step in range(12):
    x, labels = episodes(centres, 6)
    embedded = embedder(x)
    metric = triplet_loss(embedded, labels, margin=0.3)
    loss = metric + 0.2 * proxy_loss(embedded, labels)
    optimizer.zero_grad()
    proxy_optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    proxy_optimizer.step()
    if step % 4 == 3:
        print("step", step, "loss %.4f recall %.3f" % (loss.item(), retrieval(embedder, *episodes(centres, 8))))
