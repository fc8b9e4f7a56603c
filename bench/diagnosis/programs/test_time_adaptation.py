"""Adapts the affine parameters of normalisation layers to shifted test data by minimising entropy."""

import copy

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(127)


class Classifier(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc1 = nn.Linear(6, width, bias=False)
        self.norm1 = nn.BatchNorm1d(width)
        self.fc2 = nn.Linear(width, width, bias=False)
        self.norm2 = nn.BatchNorm1d(width)
        self.out = nn.Linear(width, 3)

    def forward(self, x):
        h = F.relu(self.norm1(self.fc1(x)))
        h = F.relu(self.norm2(self.fc2(h)))
        return self.out(h)


class Domain:
    def __init__(self, centres, shift):
        self.centres, self.shift = centres, shift

    def draw(self, n):
        labels = torch.randint(0, 3, (n,))
        return self.centres[labels] + 0.5 * torch.randn(n, 6) + self.shift, labels


def pretrain(model, domain, steps):
    model.train()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    for _ in range(steps):
        x, labels = domain.draw(24)
        loss = F.cross_entropy(model(x), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


def accuracy(model, domain, n=60):
    model.eval()
    with torch.no_grad():
        x, labels = domain.draw(n)
        return (model(x).argmax(dim=1) == labels).float().mean().item()


def prepare(model):
    """A copy of which only the affine parameters of normalisation layers learn."""
    adapted = copy.deepcopy(model)
    adapted.train()
    adapted.requires_grad_(False)
    chosen = []
    for module in adapted.modules():
        if isinstance(module, nn.BatchNorm1d):
            module.requires_grad_(True)
            chosen += [module.weight, module.bias]
    return adapted, chosen


def entropy(logits):
    log_probabilities = logits.log_softmax(dim=1)
    return -(log_probabilities.exp() * log_probabilities).sum(dim=1)


def adapt(model, domain, steps):
    adapted, chosen = prepare(model)
    optimizer = torch.optim.SGD(chosen, lr=0.05)
    for _ in range(steps):
        x, _ = domain.draw(24)
        loss = entropy(adapted(x)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return adapted, loss.item()


centres = 1.5 * torch.randn(3, 6)
source, target = Domain(centres, 0.0), Domain(centres, 1.0)
model = Classifier(16)
print("pretraining loss %.4f" % pretrain(model, source, steps=12))
before = accuracy(model, target)
adapted, loss = adapt(model, target, steps=6)
print("entropy %.4f, accuracy %.3f before and %.3f after" % (loss, before, accuracy(adapted, target)))
