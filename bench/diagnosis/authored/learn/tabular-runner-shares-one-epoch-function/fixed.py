import copy
import math

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


class Residual(nn.Module):
    def __init__(self, dim, p):
        super().__init__()
        self.norm = nn.BatchNorm1d(dim)
        self.fc1 = nn.Linear(dim, dim * 2)
        self.fc2 = nn.Linear(dim * 2, dim)
        self.drop = nn.Dropout(p)

    def forward(self, x):
        h = self.drop(torch.relu(self.fc1(self.norm(x))))
        return x + self.drop(self.fc2(h))


class TabularNet(nn.Module):
    def __init__(self, cardinalities, n_numeric, dim=16, depth=2, p=0.3):
        super().__init__()
        self.embeddings = nn.ModuleList(nn.Embedding(c, 4) for c in cardinalities)
        self.stem = nn.Linear(4 * len(cardinalities) + n_numeric, dim)
        self.blocks = nn.Sequential(*[Residual(dim, p) for _ in range(depth)])
        self.head = nn.Linear(dim, 1)

    def forward(self, cats, nums):
        embedded = [emb(cats[:, i]) for i, emb in enumerate(self.embeddings)]
        x = self.stem(torch.cat(embedded + [nums], dim=1))
        return self.head(self.blocks(x)).squeeze(1)


class Runner:
    def __init__(self, model, optimizer, criterion, patience=3):
        self.model, self.optimizer, self.criterion = model, optimizer, criterion
        self.patience = patience
        self.best_loss, self.best_state, self.bad_epochs = math.inf, None, 0

    def _run_epoch(self, loader, train):
        self.model.train(train)
        total, count = 0.0, 0
        with torch.set_grad_enabled(train):
            for cats, nums, target in loader:
                loss = self.criterion(self.model(cats, nums), target)
                if train:
                    self.optimizer.zero_grad()
                    loss.backward()
                    self.optimizer.step()
                total += loss.item() * len(target)
                count += len(target)
        return total / count

    def fit(self, train_loader, val_loader, epochs):
        for epoch in range(epochs):
            train_loss = self._run_epoch(train_loader, train=True)
            val_loss = self._run_epoch(val_loader, train=False)
            print(f"{epoch:2d} train {train_loss:.4f} val {val_loss:.4f}")
            if val_loss < self.best_loss:
                self.best_loss, self.bad_epochs = val_loss, 0
                self.best_state = copy.deepcopy(self.model.state_dict())
            else:
                self.bad_epochs += 1
                if self.bad_epochs >= self.patience:
                    break
        self.model.load_state_dict(self.best_state)
        return self.best_loss


def house_prices(n=240):
    cats = torch.stack([torch.randint(5, (n,)), torch.randint(3, (n,))], dim=1)
    nums = torch.randn(n, 4)
    effect = torch.tensor([-1.0, -0.3, 0.0, 0.4, 1.2])
    price = effect[cats[:, 0]] + nums[:, 0] * (cats[:, 1].float() - 1) + 0.5 * nums[:, 1] + 0.1 * torch.randn(n)
    return TensorDataset(cats, nums, price)


def main():
    torch.manual_seed(5)
    data = house_prices()
    train_set, val_set = random_split(data, [180, 60])
    model = TabularNet([5, 3], 4)
    runner = Runner(model, torch.optim.Adam(model.parameters(), lr=1e-2), nn.SmoothL1Loss())
    best = runner.fit(DataLoader(train_set, batch_size=30, shuffle=True), DataLoader(val_set, batch_size=20), 5)
    print("best validation loss %.4f" % best)
    return runner, val_set


if __name__ == "__main__":
    runner, val_set = main()
