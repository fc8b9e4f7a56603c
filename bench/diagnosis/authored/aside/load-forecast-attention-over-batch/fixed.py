import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(2021)

WINDOW, HORIZON = 18, 3
BATCH = 20


def make_series(n=260):
    t = torch.arange(n, dtype=torch.float32)
    daily = torch.sin(2 * math.pi * t / 24)
    weekly = 0.5 * torch.cos(2 * math.pi * t / 70)
    temperature = daily.roll(3) + 0.1 * torch.randn(n)
    load = 2 + daily + weekly + 0.3 * temperature + 0.05 * torch.randn(n)
    return torch.stack([load, temperature], dim=1)


def to_windows(series):
    xs, ys = [], []
    for i in range(len(series) - WINDOW - HORIZON):
        xs.append(series[i:i + WINDOW])
        ys.append(series[i + WINDOW:i + WINDOW + HORIZON, 0])
    return torch.stack(xs), torch.stack(ys)


class BahdanauAttention(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.w_query = nn.Linear(hidden, hidden, bias=False)
        self.w_keys = nn.Linear(hidden, hidden, bias=False)
        self.v = nn.Linear(hidden, 1, bias=False)

    def forward(self, query, keys):
        energy = torch.tanh(self.w_query(query).unsqueeze(1) + self.w_keys(keys))
        scores = self.v(energy).squeeze(-1)
        weights = F.softmax(scores, dim=1)
        context = torch.einsum("bt,bth->bh", weights, keys)
        return context, weights


class Forecaster(nn.Module):
    def __init__(self, n_features=2, hidden=20):
        super().__init__()
        self.encoder = nn.GRU(n_features, hidden, batch_first=True)
        self.cell = nn.GRUCell(hidden + 1, hidden)
        self.attention = BahdanauAttention(hidden)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x, y=None):
        keys, state = self.encoder(x)
        state = state.squeeze(0)
        last = x[:, -1, :1]
        predictions = []
        for step in range(HORIZON):
            context, _ = self.attention(state, keys)
            state = self.cell(torch.cat([context, last], dim=1), state)
            last = self.out(state)
            predictions.append(last)
            if y is not None and torch.rand(()) < 0.5:
                last = y[:, step:step + 1]
        return torch.cat(predictions, dim=1)


def smape(pred, true):
    return (2 * (pred - true).abs() / (pred.abs() + true.abs())).mean().item()


x, y = to_windows(make_series())
split = int(0.8 * len(x))
mean, std = x[:split].mean((0, 1)), x[:split].std((0, 1))
x = (x - mean) / std
loader = DataLoader(TensorDataset(x[:split], y[:split]), batch_size=BATCH, shuffle=True, drop_last=True)

net = Forecaster()
optimizer = torch.optim.Adam(net.parameters(), lr=4e-3)
for epoch in range(3):
    net.train()
    total = 0.0
    for xb, yb in loader:
        optimizer.zero_grad()
        loss = F.l1_loss(net(xb, yb), yb)
        loss.backward()
        optimizer.step()
        total += loss.item()
    net.eval()
    with torch.no_grad():
        val = smape(net(x[split:]), y[split:])
    print("epoch", epoch, "train", round(total / len(loader), 4), "smape", round(val, 4))
