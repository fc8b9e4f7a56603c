"""Evaluates with an exponential moving average of the weights."""

import copy

import torch
from torch import nn

torch.manual_seed(14)


class EMA:
    def __init__(self, model, decay):
        self.decay = decay
        self.model = copy.deepcopy(model).eval()
        for p in self.model.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for average, current in zip(self.model.parameters(), model.parameters()):
            average.mul_(self.decay).add_(current, alpha=1 - self.decay)
        for average, current in zip(self.model.buffers(), model.buffers()):
            average.copy_(current)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.input = nn.Linear(5, 12)
        self.norm = nn.BatchNorm1d(12)
        self.output = nn.Linear(12, 1)

    def forward(self, x):
        h = self.norm(self.input(x))
        h = h.relu()
        return self.output(h).squeeze(-1)


weights = torch.randn(5)
x = torch.randn(40, 5)
y = x @ weights + 0.1 * torch.randn(40)
net = Net()
ema = EMA(net, decay=0.9)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.5)
for epoch in range(3):
    net.train()
    for xb, yb in zip(x.split(10), y.split(10)):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(xb), yb)
        loss.backward()
        optimizer.step()
        ema.update(net)
    net.eval()
    with torch.no_grad():
        plain = nn.functional.mse_loss(net(x), y).item()
        averaged = nn.functional.mse_loss(ema.model(x), y).item()
    print(f"epoch {epoch}: weights {plain:.3f}, average {averaged:.3f}")
