"""A set transformer with inducing points: the largest number of a set."""

import torch
from torch import nn

torch.manual_seed(117)


class Attend(nn.Module):
    """Multihead attention of queries over values, with a residual feed-forward part."""

    def __init__(self, width, heads):
        super().__init__()
        self.attention = nn.MultiheadAttention(width, heads, batch_first=True)
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.feed = nn.Sequential(nn.Linear(width, width), nn.ReLU())

    def forward(self, queries, values):
        attended, _ = self.attention(queries, values, values, need_weights=False)
        h = self.norm1(queries + attended)
        return self.norm2(h + self.feed(h))


class InducedBlock(nn.Module):
    def __init__(self, width, heads, points):
        super().__init__()
        self.points = nn.Parameter(torch.randn(1, points, width) / width**0.5)
        self.down, self.up = Attend(width, heads), Attend(width, heads)

    def forward(self, x):
        summary = self.down(self.points.expand(len(x), -1, -1), x)
        return self.up(x, summary)


class SetTransformer(nn.Module):
    def __init__(self, width=16, heads=2):
        super().__init__()
        self.lift = nn.Linear(1, width)
        self.encoder = nn.Sequential(InducedBlock(width, heads, 4), InducedBlock(width, heads, 4))
        self.seed = nn.Parameter(torch.randn(1, 1, width) / width**0.5)
        self.pool = Attend(width, heads)
        self.head = nn.Linear(width, 1)

    def forward(self, sets):
        h = self.encoder(self.lift(sets))
        pooled = self.pool(self.seed.expand(len(sets), -1, -1), h)
        return self.head(pooled.squeeze(1)).squeeze(1)


def sets_of(n, size):
    sets = torch.randn(n, size, 1)
    return sets, sets.squeeze(-1).max(dim=1).values


model = SetTransformer()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[2, 3], gamma=0.5)
for epoch in range(4):
    model.train()
    losses = []
    for size in (4, 6, 8):
        sets, largest = sets_of(16, size)
        loss = nn.functional.l1_loss(model(sets), largest)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    scheduler.step()
    model.eval()
    with torch.no_grad():
        sets, largest = sets_of(32, 10)
        error = (model(sets) - largest).abs().mean().item()
    print("epoch %d: loss %.4f, error on larger sets %.4f" % (epoch, sum(losses) / 3, error))
