import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class MachineWindows(Dataset):
    def __init__(self, n=128, steps=12, sensors=3):
        self.target = torch.rand(n)
        t = torch.arange(steps).float()
        wear = self.target.view(-1, 1, 1) * t.view(1, -1, 1) / steps
        self.x = wear * torch.tensor([1.0, -0.5, 0.3]) + 0.1 * torch.randn(n, steps, sensors)

    def __len__(self):
        return len(self.target)

    def __getitem__(self, i):
        return self.x[i], self.target[i]


class RemainingLife(nn.Module):
    def __init__(self, sensors=3, hidden=20):
        super().__init__()
        self.lstm = nn.LSTM(sensors, hidden, num_layers=2, batch_first=True)
        self.head = nn.Sequential(nn.Linear(hidden, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, x):
        out, _ = self.lstm(x)
        return self.head(out[:, -1]).squeeze(1)


class Meter:
    def __init__(self):
        self.total = self.count = 0.0

    def add(self, value, n):
        self.total, self.count = self.total + value * n, self.count + n

    @property
    def mean(self):
        return self.total / self.count


def train_epoch(model, loader, optimizer, criterion):
    model.train()
    meter = Meter()
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        meter.add(loss.item(), len(y))
    return meter.mean


@torch.no_grad()
def validate(model, loader, criterion):
    model.eval()
    meter = Meter()
    for x, y in loader:
        meter.add(criterion(model(x), y).item(), len(y))
    return meter.mean


def main():
    torch.manual_seed(69)
    train, valid = DataLoader(MachineWindows(), batch_size=16, shuffle=True), DataLoader(MachineWindows(32), batch_size=16)
    model, criterion = RemainingLife(), nn.L1Loss()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(3):
        loss = train_epoch(model, train, optimizer, criterion)
        print(f"epoch {epoch} train {loss:.4f} valid {validate(model, valid, criterion):.4f}")


if __name__ == "__main__":
    main()
