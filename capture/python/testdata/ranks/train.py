"""Each rank trains two models with its own data. A layer is used on rank 1 only: its gradients
are forgotten where they are averaged by hand. Prints what has a gradient."""

import json
import sys

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class Gated(nn.Module):
    def __init__(self):
        super().__init__()
        self.shared = nn.Linear(3, 3)
        self.extra = nn.Linear(3, 3)

    def forward(self, x, rank):
        y = self.shared(x)
        if rank == 1:
            y = y + self.extra(x)
        return y.sum()


def train(model, data, average):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(2):
        optimizer.zero_grad(set_to_none=True)
        loss = model(data, rank)
        loss.backward()
        average()
        optimizer.step()


def average():
    for p in by_hand.shared.parameters():
        dist.all_reduce(p.grad)
        p.grad /= dist.get_world_size()


torch.manual_seed(0)
dist.init_process_group("gloo")
rank = dist.get_rank()
by_hand, reduced = Gated(), Gated()
data = torch.ones(2, 3) * (rank + 1)
train(by_hand, data, average)
train(DistributedDataParallel(reduced, find_unused_parameters=True), data, lambda: None)
if len(sys.argv) > 1:
    names = [f"{m}.{name}" for m in ("by_hand", "reduced") for name, p in globals()[m].named_parameters() if p.grad is not None]
    with open(f"{sys.argv[1]}/{rank}.json", "w") as f:
        json.dump(names, f)
dist.destroy_process_group()
