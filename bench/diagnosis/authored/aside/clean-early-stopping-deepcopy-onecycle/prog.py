import copy
import math
import random

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim.lr_scheduler import OneCycleLR


class EarlyStopping:
    def __init__(self, patience):
        self.patience = patience
        self.best, self.counter, self.checkpoint = math.inf, 0, None

    def update(self, value, model, optimizer):
        if value < self.best:
            self.best, self.counter = value, 0
            self.checkpoint = copy.deepcopy({"model": model.state_dict(), "optimizer": optimizer.state_dict()})
        else:
            self.counter += 1
        return self.counter >= self.patience


class CharCNN(nn.Module):
    def __init__(self, alphabet=30, dim=12, filters=16, classes=2):
        super().__init__()
        self.emb = nn.Embedding(alphabet, dim, padding_idx=0)
        self.convs = nn.ModuleList(nn.Conv1d(dim, filters, k, padding=k // 2) for k in (3, 5))
        self.bn = nn.BatchNorm1d(2 * filters)
        self.drop = nn.Dropout(0.3)
        self.fc = nn.Linear(2 * filters, classes)

    def forward(self, ids):
        x = self.emb(ids).transpose(1, 2)
        pooled = [F.relu(conv(x)).amax(dim=2) for conv in self.convs]
        return self.fc(self.drop(self.bn(torch.cat(pooled, dim=1))))


class Domains:
    """Generated host names: dictionary words against random letters."""
    WORDS = ["shop", "news", "cloud", "bank", "mail", "blog", "data", "home", "green", "fast"]

    def __init__(self, n, seed, length=14):
        rng = random.Random(seed)
        rows, labels = [], []
        for _ in range(n):
            fake = rng.random() < 0.5
            if fake:
                name = "".join(rng.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(rng.randint(7, 12)))
            else:
                name = rng.choice(self.WORDS) + rng.choice(self.WORDS)
            if rng.random() < 0.05:
                fake = not fake
            ids = [ord(c) - 96 for c in name][:length]
            rows.append(ids + [0] * (length - len(ids)))
            labels.append(int(fake))
        self.x, self.y = torch.tensor(rows), torch.tensor(labels)

    def batches(self, size):
        for idx in torch.randperm(len(self.x)).split(size):
            yield self.x[idx], self.y[idx]


@torch.no_grad()
def validation_loss(model, data):
    model.eval()
    value = F.cross_entropy(model(data.x), data.y).item()
    model.train()
    return value


def fit(model, train, valid, epochs=12, batch=32, max_lr=2e-2):
    optimizer = torch.optim.AdamW(model.parameters(), lr=max_lr / 25, weight_decay=1e-2)
    scheduler = OneCycleLR(optimizer, max_lr=max_lr, total_steps=epochs * math.ceil(len(train.x) / batch))
    stopper = EarlyStopping(patience=3)
    for epoch in range(epochs):
        total = 0.0
        for x, y in train.batches(batch):
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
            scheduler.step()
            total += loss.item() * len(y)
        value = validation_loss(model, valid)
        print("epoch %2d train %.4f valid %.4f lr %.2e" % (epoch, total / len(train.x), value, scheduler.get_last_lr()[0]))
        if stopper.update(value, model, optimizer):
            break
    model.load_state_dict(stopper.checkpoint["model"])
    return stopper.best


torch.manual_seed(3)
model, valid = CharCNN(), Domains(80, seed=1)
best = fit(model, Domains(200, seed=0), valid)
print("best %.4f restored %.4f" % (best, validation_loss(model, valid)))
