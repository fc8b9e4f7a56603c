import math

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def make_load_curve(hours=420):
    t = torch.arange(hours, dtype=torch.float32)
    daily = torch.sin(2 * math.pi * t / 24)
    weekly = 0.4 * torch.cos(2 * math.pi * t / 168)
    return daily + weekly + 0.05 * torch.randn(hours)


def windows(series, history, horizon, stride=3):
    xs, ys = [], []
    for s in range(0, len(series) - history - horizon, stride):
        xs.append(series[s:s + history])
        ys.append(series[s + history:s + history + horizon])
    return torch.stack(xs).unsqueeze(-1), torch.stack(ys)


class TemporalAttention(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.query = nn.Linear(hidden, hidden, bias=False)
        self.scale = hidden ** -0.5

    def forward(self, state, bank):
        scores = torch.bmm(bank, self.query(state).unsqueeze(2)).squeeze(2) * self.scale
        weights = torch.softmax(scores, dim=1)
        return torch.bmm(weights.unsqueeze(1), bank).squeeze(1)


class LoadForecaster(nn.Module):
    def __init__(self, hidden=16, horizon=6):
        super().__init__()
        self.hidden, self.horizon = hidden, horizon
        self.encoder = nn.GRU(1, hidden, batch_first=True)
        self.cell = nn.GRUCell(1 + hidden, hidden)
        self.attention = TemporalAttention(hidden)
        self.readout = nn.Linear(2 * hidden, 1)

    def forward(self, x):
        b, t, _ = x.shape
        enc, h = self.encoder(x)
        h = h[0]
        bank = x.new_zeros(b, t + self.horizon, self.hidden)
        bank[:, :t] = enc
        value, outputs = x[:, -1], []
        for step in range(self.horizon):
            context = self.attention(h, bank[:, :t + step])
            h = self.cell(torch.cat([value, context], dim=1), h)
            bank[:, t + step] = h
            value = self.readout(torch.cat([h, context], dim=1))
            outputs.append(value)
        return torch.cat(outputs, dim=1)


class Trainer:
    def __init__(self, model, lr=5e-3):
        self.model = model
        self.loss_fn = nn.SmoothL1Loss()
        self.optim = torch.optim.Adam(model.parameters(), lr=lr)
        self.sched = torch.optim.lr_scheduler.StepLR(self.optim, step_size=2, gamma=0.5)

    def run_epoch(self, loader):
        self.model.train()
        total = 0.0
        for x, y in loader:
            self.optim.zero_grad()
            loss = self.loss_fn(self.model(x), y)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.optim.step()
            total += loss.item() * len(x)
        self.sched.step()
        return total / len(loader.dataset)

    @torch.no_grad()
    def mape(self, x, y):
        self.model.eval()
        return ((self.model(x) - y).abs() / (y.abs() + 0.5)).mean().item()


torch.manual_seed(7)
xs, ys = windows(make_load_curve(), history=18, horizon=6)
split = int(0.8 * len(xs))
trainer = Trainer(LoadForecaster())
loader = DataLoader(TensorDataset(xs[:split], ys[:split]), batch_size=32, shuffle=True)
for epoch in range(3):
    train_loss = trainer.run_epoch(loader)
    print(f"{epoch}: train {train_loss:.4f} mape {trainer.mape(xs[split:], ys[split:]):.3f}")
