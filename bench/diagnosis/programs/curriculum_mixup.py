"""A curriculum from easy to hard examples, with mixup and soft labels."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Beta

torch.manual_seed(111)

CLASSES = 4


class ResidualBlock(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.first = nn.Linear(width, width, bias=False)
        self.norm = nn.BatchNorm1d(width)
        self.second = nn.Linear(width, width)

    def forward(self, x):
        h = self.norm(self.first(x))
        h = F.relu(h)
        return x + self.second(h)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Linear(6, 20)
        self.body = nn.Sequential(ResidualBlock(20), ResidualBlock(20))
        self.head = nn.Linear(20, CLASSES)

    def forward(self, x):
        return self.head(self.body(F.relu(self.stem(x))))


def smooth(labels, epsilon):
    soft = F.one_hot(labels, CLASSES).float()
    return soft * (1 - epsilon) + epsilon / CLASSES


def mixup(x, targets, alpha):
    rate = Beta(alpha, alpha).sample()
    partner = torch.randperm(len(x))
    mixed_x = rate * x + (1 - rate) * x[partner]
    mixed_targets = rate * targets + (1 - rate) * targets[partner]
    return mixed_x, mixed_targets


def soft_cross_entropy(logits, targets):
    return -(targets * F.log_softmax(logits, dim=1)).sum(dim=1).mean()


def dataset(n):
    centres = torch.randn(CLASSES, 6)
    labels = torch.randint(0, CLASSES, (n,))
    noise = torch.rand(n)
    x = centres[labels] + noise.unsqueeze(1) * torch.randn(n, 6)
    return x, labels, noise


x, labels, difficulty = dataset(96)
easy_first = difficulty.argsort()
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.8)
for epoch in range(4):
    net.train()
    share = min(1.0, 0.4 + 0.2 * epoch)
    pool = easy_first[: int(share * len(x))]
    pool = pool[torch.randperm(len(pool))]
    running = []
    for chosen in pool.split(16):
        if len(chosen) < 2:
            continue
        mixed_x, targets = mixup(x[chosen], smooth(labels[chosen], 0.1), alpha=0.4)
        loss = soft_cross_entropy(net(mixed_x), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        running.append(loss.item())
    scheduler.step()
    net.eval()
    with torch.no_grad():
        accuracy = (net(x).argmax(dim=1) == labels).float().mean()
    print("epoch", epoch, "share %.1f loss %.4f accuracy %.3f" % (share, sum(running) / len(running), accuracy.item()))
