import math
from collections import Counter

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim.lr_scheduler import CosineAnnealingLR

RHYTHMS = ["normal", "fast", "irregular"]


def synth_ecg(label, length=96):
    period = {0: 24.0, 1: 13.0, 2: 20.0}[label]
    signal, t = torch.zeros(length), 4.0
    grid = torch.arange(length).float()
    while t < length:
        signal += torch.exp(-0.5 * ((grid - t) / 1.2) ** 2) - 0.3 * torch.exp(-0.5 * ((grid - t - 4) / 2) ** 2)
        jitter = 9.0 if label == 2 else 1.0
        t += period + jitter * (torch.rand(()).item() - 0.5) * 2
    drift = 0.2 * torch.sin(grid * 2 * math.pi / length + torch.rand(()) * 6)
    return signal + drift + 0.1 * torch.randn(length)


def make_split(n):
    labels = torch.randint(len(RHYTHMS), (n,))
    return torch.stack([synth_ecg(int(y)) for y in labels])[:, None], labels


class ResidualBlock(nn.Module):
    def __init__(self, cin, cout, stride):
        super().__init__()
        self.conv1 = nn.Conv1d(cin, cout, 5, stride=stride, padding=2)
        self.norm1 = nn.BatchNorm1d(cout)
        self.conv2 = nn.Conv1d(cout, cout, 5, padding=2)
        self.norm2 = nn.BatchNorm1d(cout)
        self.skip = nn.Conv1d(cin, cout, 1, stride=stride)

    def forward(self, x):
        out = F.relu(self.norm1(self.conv1(x)))
        out = self.norm2(self.conv2(out))
        return F.relu(out + self.skip(x))


class ResNet1d(nn.Module):
    def __init__(self, widths=(8, 16, 16)):
        super().__init__()
        self.stem = nn.Conv1d(1, widths[0], 7, padding=3)
        blocks, cin = [], widths[0]
        for w in widths:
            blocks.append(ResidualBlock(cin, w, stride=2))
            cin = w
        self.blocks = nn.Sequential(*blocks)
        self.fc = nn.Linear(cin, len(RHYTHMS))

    def forward(self, x):
        h = self.blocks(F.relu(self.stem(x)))
        return self.fc(F.adaptive_avg_pool1d(h, 1).flatten(1))


class Experiment:
    def __init__(self, epochs=4, lr=0.05, batch=24):
        self.epochs, self.batch = epochs, batch
        self.train_data, self.test_data = make_split(96), make_split(48)
        self.model = ResNet1d()
        counts = Counter(self.train_data[1].tolist())
        weights = torch.tensor([96 / (3 * counts[i]) for i in range(len(RHYTHMS))])
        self.criterion = nn.CrossEntropyLoss(weight=weights)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=lr, momentum=0.9, nesterov=True, weight_decay=1e-4)
        self.scheduler = CosineAnnealingLR(self.optimizer, T_max=epochs)

    def run(self):
        x, y = self.train_data
        for epoch in range(self.epochs):
            self.model.train()
            for idx in torch.randperm(len(x)).split(self.batch):
                loss = self.criterion(self.model(x[idx]), y[idx])
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
            self.scheduler.step()
            print("epoch", epoch, "loss %.4f" % loss.item(), "f1", self.macro_f1())

    def macro_f1(self):
        self.model.eval()
        x, y = self.test_data
        with torch.no_grad():
            pred = self.model(x).argmax(1)
        scores = []
        for k in range(len(RHYTHMS)):
            tp = ((pred == k) & (y == k)).sum().item()
            scores.append(2 * tp / max(1, (pred == k).sum().item() + (y == k).sum().item()))
        return round(sum(scores) / len(scores), 3)


torch.manual_seed(14)
experiment = Experiment()
experiment.run()
