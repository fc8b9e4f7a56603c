"""Contrastive learning with the NT-Xent loss."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(16)


class Encoder(nn.Module):
    def __init__(self, inputs, features, projection):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(inputs, 24), nn.ReLU(), nn.Linear(24, features))
        self.projector = nn.Sequential(nn.ReLU(), nn.Linear(features, projection))

    def forward(self, x):
        return self.projector(self.backbone(x))


def augment(x):
    mask = (torch.rand_like(x) > 0.1).float()
    return x * mask + 0.05 * torch.randn_like(x)


def nt_xent(first, second, temperature):
    n = first.shape[0]
    z = F.normalize(torch.cat([first, second]), dim=1)
    similarity = z @ z.t() / temperature
    itself = torch.eye(2 * n, dtype=torch.bool)
    similarity = similarity.masked_fill(itself, float("-inf"))
    positives = torch.cat([torch.arange(n, 2 * n), torch.arange(n)])
    return F.cross_entropy(similarity, positives)


def linear_probe(features, labels, classes):
    probe = nn.Linear(features.shape[1], classes)
    optimizer = torch.optim.LBFGS(probe.parameters(), max_iter=5)

    def closure():
        optimizer.zero_grad()
        loss = F.cross_entropy(probe(features), labels)
        loss.backward()
        return loss

    optimizer.step(closure)
    with torch.no_grad():
        return (probe(features).argmax(1) == labels).float().mean().item()


labels = torch.arange(32) % 4
data = torch.randn(4, 10)[labels] + 0.2 * torch.randn(32, 10)
encoder = Encoder(10, 8, 6)
optimizer = torch.optim.Adam(encoder.parameters(), lr=3e-3)
for epoch in range(3):
    for rows in torch.randperm(32).split(16):
        x = data[rows]
        loss = nt_xent(encoder(augment(x)), encoder(augment(x)), temperature=0.5)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, round(loss.item(), 4))

with torch.no_grad():
    features = encoder.backbone(data)
print("probe", linear_probe(features, labels, 4))
