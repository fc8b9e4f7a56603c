import copy
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class ModelEMA:
    def __init__(self, model, decay=0.95):
        self.module = copy.deepcopy(model).eval()
        for p in self.module.parameters():
            p.requires_grad_(False)
        self.decay, self.updates = decay, 0

    @torch.no_grad()
    def update(self, model):
        self.updates += 1
        d = self.decay * (1 - math.exp(-self.updates / 10))
        source = model.state_dict()
        for name, value in self.module.state_dict().items():
            if value.dtype.is_floating_point:
                value *= d
                value += (1 - d) * source[name].detach()
            else:
                value.copy_(source[name])


class DepthwiseBlock(nn.Module):
    def __init__(self, cin, cout):
        super().__init__()
        self.dw = nn.Conv1d(cin, cin, 5, padding=2, groups=cin, bias=False)
        self.pw = nn.Conv1d(cin, cout, 1, bias=False)
        self.bn = nn.BatchNorm1d(cout)

    def forward(self, x):
        return F.relu(self.bn(self.pw(self.dw(x))), inplace=True)


class KeywordNet(nn.Module):
    def __init__(self, mels=10, classes=4):
        super().__init__()
        self.blocks = nn.Sequential(DepthwiseBlock(mels, 16), DepthwiseBlock(16, 24))
        self.drop = nn.Dropout(0.2)
        self.fc = nn.Linear(24, classes)

    def forward(self, x):
        return self.fc(self.drop(self.blocks(x).amax(dim=2)))


def spec_augment(x, width=4):
    x = x.clone()
    start = torch.randint(0, x.size(2) - width, (len(x),))
    for i, s in enumerate(start.tolist()):
        x[i, :, s:s + width] = 0
    return x


def keywords(n, classes=4):
    y = torch.randint(classes, (n,))
    t = torch.linspace(0, 1, 30)
    x = 0.4 * torch.randn(n, 10, 30)
    for k in range(classes):
        x[y == k, 2 * k:2 * k + 2] += torch.sin(math.pi * (k + 1) * t)
    return x, y


def accuracy(model, x, y):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        result = (model(x).argmax(1) == y).float().mean().item()
    model.train(was_training)
    return result


def train(model, ema, loader, epochs=4, accum=3):
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    model.train()
    optimizer.zero_grad()
    for epoch in range(epochs):
        total, n = 0.0, len(loader)
        for i, (x, y) in enumerate(loader):
            window = accum if i < n - n % accum else n % accum
            loss = F.cross_entropy(model(spec_augment(x)), y)
            (loss / window).backward()
            total += loss.item()
            if (i + 1) % accum == 0 or i + 1 == n:
                nn.utils.clip_grad_norm_(model.parameters(), 2.0)
                optimizer.step()
                ema.update(model)
                optimizer.zero_grad()
        print("epoch", epoch, "loss %.4f" % (total / n), "ema accuracy %.3f" % accuracy(ema.module, *test))


torch.manual_seed(0)
data, test = keywords(160), keywords(64)
model = KeywordNet()
ema = ModelEMA(model)
train(model, ema, DataLoader(TensorDataset(*data), batch_size=16, shuffle=True))
print("final %.3f" % accuracy(model, *test))
