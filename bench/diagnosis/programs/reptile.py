"""Reptile: meta-learning with the difference of adapted and initial weights."""

import copy

import torch
from torch import nn

torch.manual_seed(20)


def task():
    slope, offset = torch.randn(2)
    x = torch.rand(12, 1) * 2 - 1
    return x, slope * x + offset


def inner_loop(model, x, y, steps, lr):
    learner = copy.deepcopy(model)
    optimizer = torch.optim.SGD(learner.parameters(), lr=lr)
    for _ in range(steps):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(learner(x), y)
        loss.backward()
        optimizer.step()
    return learner, loss.item()


class MetaLearner:
    def __init__(self, model, rate):
        self.model = model
        self.rate = rate

    def update(self, learner):
        with torch.no_grad():
            for p, q in zip(self.model.parameters(), learner.parameters()):
                p.add_(q - p, alpha=self.rate)


model = nn.Sequential(nn.Linear(1, 10), nn.Tanh(), nn.Linear(10, 1))
meta = MetaLearner(model, rate=0.3)
losses = []
for iteration in range(6):
    x, y = task()
    learner, loss = inner_loop(model, x, y, steps=4, lr=0.1)
    meta.update(learner)
    losses.append(loss)
    if iteration % 3 == 2:
        print(f"iteration {iteration}: {sum(losses) / len(losses):.4f}")

x, y = task()
adapted, final = inner_loop(model, x, y, steps=8, lr=0.1)
with torch.no_grad():
    print("adapted", nn.functional.mse_loss(adapted(x), y).item(), "from", final)
