# A training loop that goes on for CAMPAIGN_SECONDS.
import os
import time

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
end = time.monotonic() + float(os.environ["CAMPAIGN_SECONDS"])
iterations = 0
while time.monotonic() < end:
    x = torch.randn(32, 8)
    optimizer.zero_grad()
    loss = ((net(x) - x.sum(1, keepdim=True)) ** 2).mean()
    loss.backward()
    optimizer.step()
    iterations += 1
print("iterations", iterations)
