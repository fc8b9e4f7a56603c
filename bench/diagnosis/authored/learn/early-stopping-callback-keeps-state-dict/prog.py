import math
import random

import torch
from torch import nn


class RatingData:
    def __init__(self, users=30, items=25, density=0.4, seed=1):
        rng = random.Random(seed)
        taste = [[rng.gauss(0, 1) for _ in range(3)] for _ in range(users)]
        style = [[rng.gauss(0, 1) for _ in range(3)] for _ in range(items)]
        rows = []
        for u in range(users):
            for i in range(items):
                if rng.random() < density:
                    score = 3 + sum(a * b for a, b in zip(taste[u], style[i])) * 0.6 + rng.gauss(0, 0.7)
                    rows.append((u, i, min(5.0, max(1.0, score))))
        rng.shuffle(rows)
        self.users, self.items = users, items
        cut = int(0.7 * len(rows))
        self.train, self.valid = self.pack(rows[:cut]), self.pack(rows[cut:])

    @staticmethod
    def pack(rows):
        u, i, r = zip(*rows)
        return torch.tensor(u), torch.tensor(i), torch.tensor(r)


class MatrixFactorization(nn.Module):
    def __init__(self, users, items, k=12):
        super().__init__()
        self.user, self.item = nn.Embedding(users, k), nn.Embedding(items, k)
        self.user_bias, self.item_bias = nn.Embedding(users, 1), nn.Embedding(items, 1)
        self.mean = nn.Parameter(torch.tensor(3.0))
        for emb in (self.user, self.item):
            nn.init.normal_(emb.weight, std=0.1)

    def forward(self, u, i):
        bias = self.user_bias(u) + self.item_bias(i)
        return (self.user(u) * self.item(i)).sum(1) + bias.squeeze(1) + self.mean


class EarlyStopping:
    def __init__(self, patience=4):
        self.patience, self.wait = patience, 0
        self.best, self.state, self.best_epoch = math.inf, None, -1

    def __call__(self, epoch, metric, model):
        if metric < self.best - 1e-4:
            self.best, self.best_epoch, self.wait = metric, epoch, 0
            self.state = model.state_dict()
        else:
            self.wait += 1
        return self.wait >= self.patience

    def restore(self, model):
        model.load_state_dict(self.state)


def rmse(model, data):
    u, i, r = data
    with torch.no_grad():
        return (model(u, i) - r).pow(2).mean().sqrt().item()


class Trainer:
    def __init__(self, model, data, lr=0.05, batch_size=64):
        self.model, self.data, self.batch_size = model, data, batch_size
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.stopper = EarlyStopping()

    def train_epoch(self):
        u, i, r = self.data.train
        for idx in torch.randperm(len(u)).split(self.batch_size):
            self.optimizer.zero_grad()
            loss = (self.model(u[idx], i[idx]) - r[idx]).pow(2).mean()
            loss.backward()
            self.optimizer.step()

    def fit(self, max_epochs=40):
        for epoch in range(max_epochs):
            self.train_epoch()
            valid = rmse(self.model, self.data.valid)
            if self.stopper(epoch, valid, self.model):
                break
        print("stopped after epoch", epoch, "best epoch", self.stopper.best_epoch)
        self.stopper.restore(self.model)


torch.manual_seed(0)
data = RatingData()
trainer = Trainer(MatrixFactorization(data.users, data.items), data)
trainer.fit()
print("best rmse %.4f, rmse of the restored model %.4f" % (trainer.stopper.best, rmse(trainer.model, data.valid)))
