"""Long stacks of layers with activation checkpointing."""

import torch
import torch.nn as nn
from torch.utils.checkpoint import checkpoint

torch.manual_seed(38)


class Stage(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.up = nn.Linear(width, 2 * width)
        self.down = nn.Linear(2 * width, width)

    def forward(self, x):
        return x + self.down(torch.tanh(self.up(self.norm(x))))


class Deep(nn.Module):
    def __init__(self, inputs, width, depth):
        super().__init__()
        self.stem = nn.Linear(inputs, width)
        self.stages = nn.ModuleList(Stage(width) for _ in range(depth))
        self.head = nn.Linear(width, 1)
        self.use_checkpoint = True

    def forward(self, x):
        h = self.stem(x)
        for stage in self.stages:
            if self.use_checkpoint and self.training:
                h = checkpoint(stage, h, use_reentrant=False)
            else:
                h = stage(h)
        return self.head(h).squeeze(-1)


x = torch.randn(24, 6)
y = x.pow(2).sum(dim=1).sqrt()
model = Deep(6, 8, 4)
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(3):
    model.train()
    losses = []
    for xb, yb in zip(x.split(8), y.split(8)):
        loss = (model(xb) - yb).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    model.eval()
    with torch.no_grad():
        error = (model(x) - y).abs().mean().item()
    print(epoch, sum(losses) / len(losses), error)
