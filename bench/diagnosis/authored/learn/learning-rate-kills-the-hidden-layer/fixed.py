import argparse

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def parse(argv=()):
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=0.05)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--hidden", type=int, default=32)
    return parser.parse_args(list(argv))


class HousePrices:
    """Positive features: area, rooms, distance, age, floors."""

    def __init__(self, seed=2):
        self.g = torch.Generator().manual_seed(seed)

    def make(self, n):
        x = torch.rand(n, 5, generator=self.g) + 0.5
        y = 2.0 * x[:, 0] + 0.7 * x[:, 1] - x[:, 2] - 0.4 * x[:, 3] + 0.1 * torch.randn(n, generator=self.g)
        return TensorDataset(x, y.unsqueeze(1) + 1.0)


class Regressor(nn.Module):
    def __init__(self, inputs, hidden):
        super().__init__()
        self.hidden1 = nn.Linear(inputs, hidden)
        self.hidden2 = nn.Linear(hidden, hidden)
        self.output = nn.Linear(hidden, 1)
        self.relu = nn.ReLU()

    def forward(self, x):
        x = self.relu(self.hidden1(x))
        x = self.relu(self.hidden2(x))
        return self.output(x)


def train_one_epoch(model, loader, loss_fn, optimizer):
    model.train()
    running = 0.0
    for x, y in loader:
        optimizer.zero_grad()
        loss = loss_fn(model(x), y)
        loss.backward()
        optimizer.step()
        running += loss.item() * len(x)
    return running / len(loader.dataset)


def test(model, loader, loss_fn):
    model.eval()
    with torch.no_grad():
        losses = [loss_fn(model(x), y).item() for x, y in loader]
    return sum(losses) / len(losses)


def main():
    args = parse()
    torch.manual_seed(0)
    data = HousePrices()
    train_loader = DataLoader(data.make(192), batch_size=args.batch_size, shuffle=True)
    test_loader = DataLoader(data.make(64), batch_size=args.batch_size)
    model = Regressor(5, args.hidden)
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
    loss_fn = nn.SmoothL1Loss()
    for epoch in range(args.epochs):
        train_loss = train_one_epoch(model, train_loader, loss_fn, optimizer)
        print(f"epoch {epoch}: train {train_loss:.4f} test {test(model, test_loader, loss_fn):.4f}")


if __name__ == "__main__":
    main()
