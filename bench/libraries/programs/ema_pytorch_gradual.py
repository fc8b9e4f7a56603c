"""ema-pytorch: an average kept by a wrapper, used to evaluate.

packages: ema-pytorch
"""
import torch
from ema_pytorch import EMA
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 1))
ema = EMA(net, beta=0.9, update_after_step=2, update_every=1)
optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
x = torch.randn(16, 4)
y = x.sum(1, keepdim=True)
for step in range(6):
    loss = (net(x) - y).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    ema.update()
net.eval()
with torch.no_grad():
    print(round(loss.item(), 3), round((ema(x) - y).pow(2).mean().item(), 3))
