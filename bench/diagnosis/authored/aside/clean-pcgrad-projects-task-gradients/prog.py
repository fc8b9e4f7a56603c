import random

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class PCGrad:
    """Projects conflicting task gradients (Yu et al. 2020)."""

    def __init__(self, optimizer, rng):
        self.optimizer, self.rng = optimizer, rng
        self.params = [p for g in optimizer.param_groups for p in g["params"]]
        self.conflicts = 0

    def flat_gradients(self, losses):
        rows = []
        for i, loss in enumerate(losses):
            grads = torch.autograd.grad(loss, self.params, retain_graph=i < len(losses) - 1, allow_unused=True)
            rows.append(torch.cat([(torch.zeros_like(p) if g is None else g).flatten() for g, p in zip(grads, self.params)]))
        return rows

    def project(self, grads):
        projected = [g.clone() for g in grads]
        for i, g in enumerate(projected):
            others = [k for k in range(len(grads)) if k != i]
            self.rng.shuffle(others)
            for j in others:
                dot = torch.dot(g, grads[j])
                if dot < 0:
                    g -= dot / grads[j].pow(2).sum() * grads[j]
                    self.conflicts += 1
        return torch.stack(projected).sum(0)

    def step(self, losses):
        self.optimizer.zero_grad()
        merged = self.project(self.flat_gradients(losses))
        offset = 0
        for p in self.params:
            p.grad = merged[offset:offset + p.numel()].view_as(p).clone()
            offset += p.numel()
        self.optimizer.step()


class SharedTrunk(nn.Module):
    def __init__(self, n_in=8, hidden=32):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_in, hidden), nn.SELU(), nn.Linear(hidden, hidden), nn.SELU())
        self.price = nn.Linear(hidden, 1)
        self.churn = nn.Linear(hidden, 1)
        self.segment = nn.Linear(hidden, 3)

    def forward(self, x):
        h = self.trunk(x)
        return {"price": self.price(h).squeeze(1), "churn": self.churn(h).squeeze(1), "segment": self.segment(h)}


def customers(n):
    x = torch.randn(n, 8)
    price = x[:, 0] - 0.5 * x[:, 1] * x[:, 2]
    churn = (x[:, 1] * x[:, 2] + x[:, 3] > 0).float()
    segment = torch.stack([x[:, 0] + x[:, 4], x[:, 3], -x[:, 0]], 1).argmax(1)
    return TensorDataset(x, price, churn, segment)


def task_losses(out, price, churn, segment):
    return [
        F.smooth_l1_loss(out["price"], price),
        F.binary_cross_entropy_with_logits(out["churn"], churn),
        F.cross_entropy(out["segment"], segment),
    ]


def evaluate(model, data):
    x, price, churn, segment = data.tensors
    with torch.no_grad():
        out = model(x)
    return {
        "rmse": round((out["price"] - price).pow(2).mean().sqrt().item(), 3),
        "churn": round(((out["churn"] > 0).float() == churn).float().mean().item(), 3),
        "segment": round((out["segment"].argmax(1) == segment).float().mean().item(), 3),
    }


torch.manual_seed(15)
train_data, test_data = customers(240), customers(100)
model = SharedTrunk()
pcgrad = PCGrad(torch.optim.Adam(model.parameters(), lr=5e-3), random.Random(0))
for epoch in range(5):
    for x, *targets in DataLoader(train_data, batch_size=40, shuffle=True):
        pcgrad.step(task_losses(model(x), *targets))
    print("epoch", epoch, "conflicts", pcgrad.conflicts, evaluate(model, test_data))
