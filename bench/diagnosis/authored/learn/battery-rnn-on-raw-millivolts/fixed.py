import math

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class BatteryCycles(Dataset):
    """voltage [mV], temperature [K], load [mA] over a discharge -> state of health"""

    def __init__(self, n, steps=12, seed=0):
        g = torch.Generator().manual_seed(seed)
        self.health = 0.7 + 0.3 * torch.rand(n, generator=g)
        t = torch.linspace(0, 1, steps)
        voltage = 4150 - 900 * t[None] ** 2 / self.health[:, None] + 10 * torch.randn(n, steps, generator=g)
        kelvin = 298 + 8 * t[None] * (1.6 - self.health[:, None]) + 0.3 * torch.randn(n, steps, generator=g)
        load = 1500 + 20 * torch.randn(n, steps, generator=g)
        self.x = torch.stack([voltage, kelvin, load], dim=2)
        self.mean, self.std = torch.tensor([3850.0, 302.0, 1500.0]), torch.tensor([300.0, 4.0, 20.0])

    def __len__(self):
        return len(self.health)

    def __getitem__(self, i):
        return (self.x[i] - self.mean) / self.std, self.health[i]


class InputLayer(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.project = nn.Linear(n_in, n_out)

    def forward(self, x):
        return torch.tanh(self.project(x))


class HealthEstimator(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.inp = InputLayer(3, dim)
        self.rnn = nn.GRU(dim, dim, batch_first=True)
        self.head = nn.Sequential(nn.Linear(dim, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, x):
        _, h = self.rnn(self.inp(x))
        return self.head(h[-1]).squeeze(1)


def r2_score(pred, true):
    return (1 - (pred - true).pow(2).sum() / (true - true.mean()).pow(2).sum()).item()


class Fitter:
    def __init__(self, model, train, valid, lr=1e-2):
        self.model = model
        self.train_loader = DataLoader(train, batch_size=32, shuffle=True)
        self.valid_loader = DataLoader(valid, batch_size=64)
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(self.optimizer, factor=0.5, patience=2)

    def train_epoch(self):
        self.model.train()
        total = 0.0
        for x, y in self.train_loader:
            self.optimizer.zero_grad()
            loss = nn.functional.mse_loss(self.model(x), y)
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.optimizer.step()
            total += loss.item() * len(x)
        return total / len(self.train_loader.dataset)

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        preds, trues = zip(*[(self.model(x), y) for x, y in self.valid_loader])
        pred, true = torch.cat(preds), torch.cat(trues)
        return (pred - true).pow(2).mean().item(), r2_score(pred, true)

    def fit(self, epochs=8):
        for epoch in range(epochs):
            train_loss = self.train_epoch()
            valid_loss, r2 = self.validate()
            self.plateau.step(valid_loss)
            if epoch % 2 == 1:
                print("epoch %d rmse %.4f valid %.4f r2 %.3f" % (epoch, math.sqrt(train_loss), math.sqrt(valid_loss), r2))


torch.manual_seed(0)
fitter = Fitter(HealthEstimator(), BatteryCycles(160), BatteryCycles(64, seed=1))
fitter.fit()
