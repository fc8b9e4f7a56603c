"""Fits a small network to a noisy sine."""

import torch
from torch import nn

torch.manual_seed(0)


def make_data(n):
    x = torch.rand(n, 1) * 6 - 3
    y = torch.sin(x) + 0.1 * torch.randn(n, 1)
    return x, y


class Regressor(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.first = nn.Linear(1, width)
        self.second = nn.Linear(width, width)
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        h = torch.tanh(self.first(x))
        h = h + torch.tanh(self.second(h))
        return self.out(h)


def train_epoch(model, optimizer, x, y, batch_size):
    model.train()
    total = 0.0
    order = torch.randperm(len(x))
    for start in range(0, len(x), batch_size):
        rows = order[start : start + batch_size]
        prediction = model(x[rows])
        loss = nn.functional.mse_loss(prediction, y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(rows)
    return total / len(x)


def evaluate(model, x, y):
    model.eval()
    with torch.no_grad():
        return nn.functional.mse_loss(model(x), y).item()


x_train, y_train = make_data(48)
x_test, y_test = make_data(16)
model = Regressor(16)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for epoch in range(4):
    train_loss = train_epoch(model, optimizer, x_train, y_train, batch_size=16)
    test_loss = evaluate(model, x_test, y_test)
    print(f"epoch {epoch}: train {train_loss:.4f}, test {test_loss:.4f}")
