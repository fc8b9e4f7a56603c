"""DistributedDataParallel over one Gloo process, with no_sync and a join of metrics.

packages: torch
"""
import os
import tempfile

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

torch.manual_seed(0)
with tempfile.TemporaryDirectory() as folder:
    dist.init_process_group("gloo", init_method="file://" + os.path.join(folder, "rendezvous"), rank=0, world_size=1)
    model = DistributedDataParallel(nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1)))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    x = torch.randn(32, 4)
    y = x.sum(1, keepdim=True)
    for step in range(4):
        with model.no_sync():
            nn.functional.mse_loss(model(x[:16]), y[:16]).backward()
        loss = nn.functional.mse_loss(model(x[16:]), y[16:])
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        shown = loss.detach().clone()
        dist.all_reduce(shown)
        print(step, round(shown.item(), 4))
    dist.destroy_process_group()
