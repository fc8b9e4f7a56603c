"""Quantisation-aware training: straight-through rounding with a custom Function and a learnt scale.

packages: torch
"""
import torch
from torch import nn


class Round(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, grad):
        return grad


class QuantLinear(nn.Linear):
    def __init__(self, a, b, bits=4):
        super().__init__(a, b)
        self.top = 2 ** (bits - 1) - 1
        self.scale = nn.Parameter(self.weight.detach().abs().max() / self.top)

    def forward(self, x):
        w = Round.apply((self.weight / self.scale).clamp(-self.top, self.top)) * self.scale
        h = (x * 8).clamp(-127, 127)
        h = h + (h.round() - h).detach()
        return nn.functional.linear(h / 8, w, self.bias)


torch.manual_seed(0)
model = nn.Sequential(QuantLinear(6, 16), nn.ReLU(), QuantLinear(16, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
x = torch.randn(24, 6)
y = (x[:, 0] > 0).long()
for step in range(6):
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, round(loss.item(), 4))
