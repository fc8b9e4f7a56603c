"""Two losses over one encoder with optimizers of their own for the heads."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(71)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 8), nn.Tanh())

    def forward(self, x):
        return self.layers(x)


encoder = Encoder()
age_net = nn.Linear(8, 1)
group_net = nn.Linear(8, 3)
encoder_optimizer = torch.optim.Adam(encoder.parameters(), lr=5e-3)
age_optimizer = torch.optim.Adam(age_net.parameters(), lr=1e-2)
group_optimizer = torch.optim.Adam(group_net.parameters(), lr=1e-2)
optimizers = [encoder_optimizer, age_optimizer, group_optimizer]


def people(n):
    x = torch.randn(n, 6)
    age = x[:, :2].sum(dim=1, keepdim=True) + 0.1 * torch.randn(n, 1)
    group = x[:, 2:5].argmax(dim=1)
    return x, age, group


x, age, group = people(36)
for epoch in range(3):
    age_total, group_total = 0.0, 0.0
    for rows in torch.randperm(36).split(12):
        for optimizer in optimizers:
            optimizer.zero_grad()
        code = encoder(x[rows])
        age_loss = F.mse_loss(age_net(code), age[rows])
        age_loss.backward(retain_graph=True)
        group_loss = F.cross_entropy(group_net(code), group[rows])
        group_loss.backward()
        encoder_optimizer.step()
        age_optimizer.step()
        group_optimizer.step()
        age_total += age_loss.item()
        group_total += group_loss.item()
    print(f"epoch {epoch}: age {age_total / 3:.3f}, group {group_total / 3:.3f}")
