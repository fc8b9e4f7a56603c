import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class HeteroscedasticNet(nn.Module):
    """Predicts a mean and a variance."""

    def __init__(self, inputs=5, hidden=24):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(inputs, hidden), nn.SiLU())
        self.mean, self.var = nn.Linear(hidden, 1), nn.Linear(hidden, 1)

    def forward(self, x):
        h = self.body(x)
        return self.mean(h).squeeze(1), nn.functional.softplus(self.var(h)).squeeze(1) + 1e-3


class DensityWeights:
    """Weights targets by the inverse density of their bin."""

    def __init__(self, targets, bins=8):
        self.low, self.high, self.bins = targets.min(), targets.max(), bins
        count = torch.bincount(self.bin(targets), minlength=bins).float()
        weight = 1 / count.clamp(min=1)
        self.weight = weight / weight[self.bin(targets)].mean()

    def bin(self, y):
        where = (y - self.low) / (self.high - self.low) * self.bins
        return where.long().clamp(0, self.bins - 1)

    def __call__(self, y):
        return self.weight[self.bin(y)]


def yields(n):
    x = torch.randn(n, 5)
    y = x[:, 0].exp() + 0.5 * x[:, 1] + (0.1 + 0.2 * x[:, 2].abs()) * torch.randn(n)
    return TensorDataset(x, y)


class Regression:
    def __init__(self, data, lr=5e-3):
        self.model = HeteroscedasticNet()
        self.criterion = nn.GaussianNLLLoss(reduction="none")
        self.weights = DensityWeights(data.tensors[1])
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=lr)

    def loss(self, x, y):
        mean, var = self.model(x)
        per_sample = self.criterion(mean, y, var)
        return (self.weights(y) * per_sample).mean()

    def train(self, loader, epochs):
        for epoch in range(epochs):
            for x, y in loader:
                loss = self.loss(x, y)
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
            print("epoch", epoch, "loss", round(loss.mean().item(), 4))


def calibration(model, data):
    with torch.no_grad():
        mean, var = model(data.tensors[0])
    z = (data.tensors[1] - mean) / var.sqrt()
    return (z.abs() < 1).float().mean().item()


if __name__ == "__main__":
    torch.manual_seed(58)
    train_data = yields(128)
    run = Regression(train_data)
    run.train(DataLoader(train_data, batch_size=16, shuffle=True), epochs=2)
    print("within one sigma", round(calibration(run.model, yields(64)), 3))
