import math

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


class WineNet(nn.Module):
    def __init__(self, inputs=9, hidden=32, p=0.4):
        super().__init__()
        self.fc1 = nn.Linear(inputs, hidden)
        self.fc2 = nn.Linear(hidden, hidden)
        self.out = nn.Linear(hidden, 1)
        self.dropout = nn.Dropout(p)
        self.act = nn.ReLU()

    def forward(self, x):
        x = self.dropout(self.act(self.fc1(x)))
        x = self.dropout(self.act(self.fc2(x)))
        return self.out(x)


def wines(n):
    x = torch.randn(n, 9)
    quality = 0.8 * x[:, 0] - 0.5 * x[:, 3] + 0.3 * x[:, 5] * x[:, 1]
    return TensorDataset(x, (quality + 0.2 * torch.randn(n)).unsqueeze(1))


class Standardise:
    def fit(self, x):
        self.mean, self.std = x.mean(dim=0), x.std(dim=0)
        return self

    def __call__(self, x):
        return (x - self.mean) / self.std


def train(model, loader, scale, epochs):
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    criterion = nn.MSELoss()
    model.train()
    for epoch in range(epochs):
        total = 0.0
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(model(scale(x)), y)
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(f"epoch {epoch} train {math.sqrt(total / len(loader)):.4f}")


def test(model, loader, scale):
    model.eval()
    squares = count = 0
    with torch.no_grad():
        for x, y in loader:
            error = model(scale(x)) - y
            squares += error.pow(2).sum().item()
            count += len(y)
    return math.sqrt(squares / count)


def main():
    torch.manual_seed(37)
    data = wines(200)
    train_set, test_set = random_split(data, [160, 40])
    scale = Standardise().fit(data.tensors[0])
    model = WineNet()
    train(model, DataLoader(train_set, batch_size=20, shuffle=True), scale, epochs=3)
    loader = DataLoader(test_set, batch_size=20)
    print("rmse", round(test(model, loader, scale), 4), round(test(model, loader, scale), 4))


if __name__ == "__main__":
    main()
