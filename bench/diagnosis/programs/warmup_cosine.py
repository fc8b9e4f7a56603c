"""A residual network, with warm-up and cosine decay of the rate after every batch."""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(32)


class ResidualBlock(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.expand = nn.Linear(width, 2 * width)
        self.contract = nn.Linear(2 * width, width)

    def forward(self, x):
        h = self.norm(x)
        h = F.relu(self.expand(h))
        return x + self.contract(h)


class ResidualMLP(nn.Module):
    def __init__(self, inputs, width, depth, outputs):
        super().__init__()
        self.stem = nn.Linear(inputs, width)
        self.blocks = nn.ModuleList([ResidualBlock(width) for _ in range(depth)])
        self.head = nn.Linear(width, outputs)

    def forward(self, x):
        x = self.stem(x)
        for block in self.blocks:
            x = block(x)
        return self.head(x)


def schedule(warmup, total):
    def rate(step):
        if step < warmup:
            return (step + 1) / warmup
        progress = (step - warmup) / max(1, total - warmup)
        return 0.5 * (1 + math.cos(math.pi * progress))

    return rate


x = torch.randn(40, 5)
y = (x[:, 0] > x[:, 1]).long()
batches = list(zip(x.split(8), y.split(8)))
epochs = 2
model = ResidualMLP(5, 12, 3, 2)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, schedule(3, epochs * len(batches)))
for epoch in range(epochs):
    losses = []
    for xb, yb in batches:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(xb), yb)
        loss.backward()
        optimizer.step()
        scheduler.step()
        losses.append(loss.item())
    print(epoch, sum(losses) / len(losses), optimizer.param_groups[0]["lr"])
