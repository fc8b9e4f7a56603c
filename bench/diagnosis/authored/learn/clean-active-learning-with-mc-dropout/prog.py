import math

import torch
from torch import nn
import torch.nn.functional as F


class SensorNet(nn.Module):
    def __init__(self, n_in=6, hidden=32, classes=3, p=0.3):
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(n_in, hidden), nn.Linear(hidden, hidden)
        self.bn1 = nn.BatchNorm1d(hidden)
        self.drop1, self.drop2 = nn.Dropout(p), nn.Dropout(p)
        self.out = nn.Linear(hidden, classes)

    def forward(self, x):
        x = self.drop1(F.relu(self.bn1(self.fc1(x))))
        x = self.drop2(F.relu(self.fc2(x)))
        return self.out(x)


class MonteCarlo:
    """Switches only the dropout layers to sampling."""

    def __init__(self, model, passes=12):
        self.model, self.passes = model, passes

    def __enter__(self):
        self.before = self.model.training
        self.model.eval()
        for m in self.model.modules():
            if isinstance(m, nn.Dropout):
                m.train()
        return self

    def __exit__(self, *exc):
        self.model.train(self.before)

    def probabilities(self, x):
        with torch.no_grad():
            return torch.stack([self.model(x).softmax(dim=-1) for _ in range(self.passes)])


def entropy(p, dim=-1):
    return -(p * p.clamp(min=1e-9).log()).sum(dim)


def bald(samples):
    return entropy(samples.mean(0)) - entropy(samples).mean(0)


class Pool:
    def __init__(self, n=300):
        self.y = torch.randint(3, (n,))
        angle = self.y.float() * 2 * math.pi / 3 + 0.5 * torch.randn(n)
        extra = torch.randn(n, 4)
        self.x = torch.cat([angle.cos()[:, None], angle.sin()[:, None], extra], dim=1)
        self.labelled = torch.zeros(n, dtype=torch.bool)
        self.labelled[torch.randperm(n)[:20]] = True

    def acquire(self, scores, k):
        scores = scores.clone()
        scores[self.labelled] = -math.inf
        self.labelled[scores.topk(k).indices] = True

    def train_set(self):
        return self.x[self.labelled], self.y[self.labelled]


def fit(model, x, y, epochs=12):
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2, weight_decay=1e-4)
    model.train()
    for _ in range(epochs):
        for idx in torch.randperm(len(x)).split(16):
            if len(idx) < 2:
                continue
            loss = F.cross_entropy(model(x[idx]), y[idx])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return loss.item()


@torch.no_grad()
def accuracy(model, x, y):
    model.eval()
    return (model(x).argmax(1) == y).float().mean().item()


def main(rounds=4):
    torch.manual_seed(61)
    pool, test = Pool(), Pool(150)
    for r in range(rounds):
        model = SensorNet()
        loss = fit(model, *pool.train_set())
        score = accuracy(model, test.x, test.y)
        with MonteCarlo(model) as mc:
            pool.acquire(bald(mc.probabilities(pool.x)), k=15)
        print("round %d labelled %d loss %.4f accuracy %.3f" % (r, int(pool.labelled.sum()), loss, score))


main()
