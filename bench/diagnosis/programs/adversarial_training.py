"""Adversarial training with projected gradient descent."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(49)
EPSILON, ALPHA, ATTACK_STEPS = 0.2, 0.1, 3


def pgd_attack(model, x, y):
    delta = torch.empty_like(x).uniform_(-EPSILON, EPSILON)
    for _ in range(ATTACK_STEPS):
        delta.requires_grad_()
        loss = F.cross_entropy(model(x + delta), y)
        (grad,) = torch.autograd.grad(loss, delta)
        delta = (delta + ALPHA * grad.sign()).clamp(-EPSILON, EPSILON).detach()
    return x + delta


def train_step(model, optimizer, x, y):
    model.eval()
    adversarial = pgd_attack(model, x, y)
    model.train()
    optimizer.zero_grad()
    loss = 0.5 * F.cross_entropy(model(x), y) + 0.5 * F.cross_entropy(model(adversarial), y)
    loss.backward()
    optimizer.step()
    return loss.item()


def accuracy(model, x, y):
    return (model(x).argmax(dim=1) == y).float().mean().item()


x = torch.randn(40, 6)
y = (x[:, 0] + x[:, 1] > 0).long()
model = nn.Sequential(nn.Linear(6, 20), nn.ReLU(), nn.Dropout(0.1), nn.Linear(20, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
for epoch in range(3):
    losses = []
    for start in range(0, len(x), 10):
        losses.append(train_step(model, optimizer, x[start : start + 10], y[start : start + 10]))
    model.eval()
    attacked = pgd_attack(model, x, y)
    with torch.no_grad():
        clean, robust = accuracy(model, x, y), accuracy(model, attacked, y)
    print(f"epoch {epoch}: loss {sum(losses) / 4:.3f}, clean {clean:.2f}, robust {robust:.2f}")
