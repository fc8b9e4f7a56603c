from dataclasses import dataclass
from typing import Tuple

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


@dataclass(frozen=True)
class HParams:
    quantiles: Tuple[float, ...] = (0.1, 0.5, 0.9)
    lookback: int = 20
    horizon: int = 5
    hidden: int = 24
    lr: float = 4e-3
    weight_decay: float = 1e-5


class DemandDataset(Dataset):
    def __init__(self, stores, length, hp, seed):
        g = torch.Generator().manual_seed(seed)
        t = torch.arange(length).float()
        level = torch.rand(stores, 1, generator=g) * 2 + 1
        season = torch.sin(2 * torch.pi * t / 7).unsqueeze(0)
        self.sales = level * (1 + 0.5 * season) + 0.2 * torch.randn(stores, length, generator=g)
        self.hp = hp
        per_store = length - hp.lookback - hp.horizon
        self.index = [(s, i) for s in range(stores) for i in range(0, per_store, 4)]

    def __len__(self):
        return len(self.index)

    def __getitem__(self, k):
        s, i = self.index[k]
        mid = i + self.hp.lookback
        return {"past": self.sales[s, i:mid], "future": self.sales[s, mid:mid + self.hp.horizon]}


class QuantileMLP(nn.Module):
    def __init__(self, hp):
        super().__init__()
        self.hp = hp
        self.body = nn.Sequential(
            nn.Linear(hp.lookback, hp.hidden), nn.SiLU(),
            nn.Linear(hp.hidden, hp.hidden), nn.SiLU(),
        )
        self.heads = nn.ModuleList([nn.Linear(hp.hidden, hp.horizon) for _ in hp.quantiles])

    def forward(self, past):
        scale = past.abs().mean(dim=1, keepdim=True) + 1e-3
        z = self.body(past / scale)
        return torch.stack([head(z) for head in self.heads], dim=2) * scale.unsqueeze(2)


def pinball(pred, target, quantiles):
    q = torch.tensor(quantiles).view(1, 1, -1)
    error = target.unsqueeze(2) - pred
    return torch.maximum(q * error, (q - 1) * error).mean()


class Trainer:
    def __init__(self, model, hp):
        self.model, self.hp = model, hp
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=hp.lr, weight_decay=hp.weight_decay)

    def loss(self, batch):
        return pinball(self.model(batch["past"]), batch["future"], self.hp.quantiles)

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            self.model.train()
            history = []
            for batch in loader:
                self.optimizer.zero_grad()
                loss = self.loss(batch)
                loss.backward()
                self.optimizer.step()
                history.append(loss.item())
            print(f"epoch {epoch} pinball {sum(history) / len(history):.4f}")

    def coverage(self, loader):
        self.model.eval()
        inside, total = 0, 0
        with torch.no_grad():
            for batch in loader:
                pred = self.model(batch["past"])
                hit = (batch["future"] >= pred[..., 0]) & (batch["future"] <= pred[..., -1])
                inside, total = inside + int(hit.sum()), total + hit.numel()
        return inside / total


def main():
    torch.manual_seed(14)
    hp = HParams()
    train = DataLoader(DemandDataset(10, 90, hp, seed=1), batch_size=32, shuffle=True)
    test = DataLoader(DemandDataset(4, 60, hp, seed=2), batch_size=32)
    trainer = Trainer(QuantileMLP(hp), hp)
    trainer.fit(train, epochs=4)
    print(f"80% interval covers {trainer.coverage(test):.2%}")


if __name__ == "__main__":
    main()
