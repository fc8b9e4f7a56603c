"""higher: MAML with an inner-loop context and differentiable SGD.

packages: higher
"""
import higher
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(1, 16), nn.ReLU(), nn.Linear(16, 1))
meta = torch.optim.Adam(model.parameters(), lr=1e-3)
inner = torch.optim.SGD(model.parameters(), lr=0.05)
for step in range(3):
    meta.zero_grad()
    for task in range(2):
        slope = torch.randn(1)
        x, qx = torch.randn(8, 1), torch.randn(8, 1)
        with higher.innerloop_ctx(model, inner, copy_initial_weights=False) as (fast, differentiable):
            for _ in range(2):
                differentiable.step(F.mse_loss(fast(x), slope * x))
            loss = F.mse_loss(fast(qx), slope * qx)
            loss.backward()
    meta.step()
    print(step, round(loss.item(), 4))
