"""Low-rank adapters beside frozen layers, after a short pre-training."""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(73)


class LoRALinear(nn.Module):
    def __init__(self, base, rank, scale):
        super().__init__()
        self.base = base
        self.down = nn.Parameter(0.1 * torch.randn(rank, base.in_features))
        self.up = nn.Parameter(torch.zeros(base.out_features, rank))
        self.scale = scale
        for p in self.base.parameters():
            p.requires_grad = False

    def forward(self, x):
        update = F.linear(F.linear(x, self.down), self.up)
        return self.base(x) + self.scale * update


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(6, 16)
        self.second = nn.Linear(16, 3)

    def forward(self, x):
        return self.second(torch.relu(self.first(x)))


def fit(model, parameters, x, y, lr, epochs):
    optimizer = torch.optim.AdamW(parameters, lr=lr)
    losses = []
    for _ in range(epochs):
        for xb, yb in zip(x.split(12), y.split(12)):
            optimizer.zero_grad()
            loss = F.cross_entropy(model(xb), yb)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
    return losses[0], losses[-1]


x = torch.randn(48, 6)
old, new = x[:, :3].argmax(dim=1), x[:, 3:].argmax(dim=1)
net = Net()
print("before", fit(net, net.parameters(), x, old, lr=0.01, epochs=3))
net.first = LoRALinear(net.first, rank=2, scale=2.0)
net.second = LoRALinear(net.second, rank=2, scale=2.0)
adapters = [p for p in net.parameters() if p.requires_grad]
print("adapters", len(adapters), fit(net, adapters, x, new, lr=0.02, epochs=3))
with torch.no_grad():
    print("accuracy", (net(x).argmax(dim=1) == new).float().mean().item())
