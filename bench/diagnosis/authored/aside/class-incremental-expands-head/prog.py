import random

import torch
from torch import nn
import torch.nn.functional as F


class Features(nn.Module):
    def __init__(self, dim=2, width=32):
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(dim, width), nn.Linear(width, width)

    def forward(self, x):
        return F.relu(self.fc2(F.relu(self.fc1(x))))


class IncrementalNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = Features()
        self.fc = nn.Linear(32, 2)

    def forward(self, x):
        return self.fc(self.features(x))


class ExemplarMemory:
    def __init__(self, per_class=10):
        self.per_class, self.store = per_class, {}

    def add(self, x, y):
        for label in y.unique().tolist():
            self.store[label] = x[y == label][:self.per_class]

    def draw(self, n, rng):
        if not self.store:
            return None
        labels = [rng.choice(list(self.store)) for _ in range(n)]
        rows = [self.store[c][rng.randrange(len(self.store[c]))] for c in labels]
        return torch.stack(rows), torch.tensor(labels)


class Learner:
    def __init__(self, lr=0.05):
        self.net = IncrementalNet()
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=lr, momentum=0.9)
        self.memory = ExemplarMemory()
        self.rng = random.Random(0)

    def expand_head(self, total_classes):
        old = self.net.fc
        self.net.fc = nn.Linear(old.in_features, total_classes)
        with torch.no_grad():
            self.net.fc.weight[:old.out_features] = old.weight
            self.net.fc.bias[:old.out_features] = old.bias

    def observe(self, x, y):
        replay = self.memory.draw(len(x), self.rng)
        if replay is not None:
            x, y = torch.cat([x, replay[0]]), torch.cat([y, replay[1]])
        loss = F.cross_entropy(self.net(x), y)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def learn_task(self, data, epochs=4):
        x, y = data
        for epoch in range(epochs):
            losses = [self.observe(x[i], y[i]) for i in torch.randperm(len(x)).split(20)]
        self.memory.add(x, y)
        return sum(losses) / len(losses)

    @torch.no_grad()
    def accuracy(self, data):
        x, y = data
        return (self.net(x).argmax(1) == y).float().mean().item()


def ring_task(first_class, n=120):
    y = torch.randint(first_class, first_class + 2, (n,))
    angle = y.float() * 1.05 + 0.15 * torch.randn(n)
    return torch.stack([angle.cos(), angle.sin()], dim=1) * 2, y


def main():
    torch.manual_seed(13)
    learner, seen = Learner(), []
    for task in range(3):
        if task > 0:
            learner.expand_head(2 * (task + 1))
        data = ring_task(2 * task)
        seen.append(data)
        loss = learner.learn_task(data)
        scores = [round(learner.accuracy(d), 3) for d in seen]
        print("task", task, "loss %.4f" % loss, "accuracy", scores)
    return learner


if __name__ == "__main__":
    learner = main()
