import copy

import torch
from torch import nn
import torch.nn.functional as F


class DelayModel(nn.Module):
    def __init__(self, inputs=3, hidden=16):
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(inputs, hidden), nn.Linear(hidden, 1)

    def forward(self, x, weights=None):
        w = weights or dict(self.named_parameters())
        h = torch.tanh(F.linear(x, w["fc1.weight"], w["fc1.bias"]))
        return F.linear(h, w["fc2.weight"], w["fc2.bias"])


class TaskSource:
    """Each task is a depot with a delay law of its own."""

    def __init__(self, shots=6):
        self.shots = shots

    def draw(self):
        law = torch.randn(3, 1)
        bend = torch.rand(1)

        def some():
            x = torch.randn(self.shots, 3)
            return x, x @ law + bend * (x ** 2).sum(1, keepdim=True)

        return some(), some()


class MetaLearner:
    def __init__(self, inner_lr=0.05, outer_lr=1e-2, inner_steps=2):
        self.model = DelayModel()
        self.inner_lr, self.inner_steps = inner_lr, inner_steps
        self.meta_optimizer = torch.optim.Adam(self.model.parameters(), lr=outer_lr)

    def inner_update(self, x, y):
        fast = dict(self.model.named_parameters())
        for _ in range(self.inner_steps):
            loss = F.mse_loss(self.model(x, fast), y)
            grads = torch.autograd.grad(loss, list(fast.values()), create_graph=True)
            fast = {n: p - self.inner_lr * g for (n, p), g in zip(fast.items(), grads)}
        return lambda x: self.model(x, fast)

    def meta_train_step(self, tasks):
        meta_loss = 0.0
        for (xs, ys), (xq, yq) in tasks:
            adapted = self.inner_update(xs, ys)
            meta_loss = meta_loss + F.mse_loss(adapted(xq), yq)
        meta_loss = meta_loss / len(tasks)
        self.meta_optimizer.zero_grad()
        meta_loss.backward()
        self.meta_optimizer.step()
        return meta_loss.item()


def evaluate(learner, source, count=4):
    total = 0.0
    for _ in range(count):
        (xs, ys), (xq, yq) = source.draw()
        adapted = learner.inner_update(xs, ys)
        with torch.no_grad():
            total += F.mse_loss(adapted(xq), yq).item()
    return total / count


torch.manual_seed(6)
source, learner = TaskSource(), MetaLearner()
for step in range(10):
    loss = learner.meta_train_step([source.draw() for _ in range(3)])
    if step % 5 == 4:
        print(f"step {step} meta loss {loss:.4f} adapted {evaluate(learner, source):.4f}")
