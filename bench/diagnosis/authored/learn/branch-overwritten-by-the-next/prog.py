import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class MultiScale(nn.Module):
    """Two receptive fields and a shortcut."""

    def __init__(self, inputs, outputs):
        super().__init__()
        self.narrow = nn.Conv1d(inputs, outputs, 3, padding=1)
        self.wide = nn.Conv1d(inputs, outputs, 7, padding=3)
        self.shortcut = nn.Conv1d(inputs, outputs, 1)
        self.norm = nn.GroupNorm(2, outputs)

    def forward(self, x):
        out = self.narrow(x)
        out = self.wide(x)
        out = self.norm(out + self.shortcut(x))
        return torch.relu(out)


class EventNet(nn.Module):
    def __init__(self, channels=2, classes=3, width=8):
        super().__init__()
        self.block1, self.block2 = MultiScale(channels, width), MultiScale(width, width)
        self.pool = nn.AvgPool1d(2)
        self.head = nn.Linear(width, classes)

    def forward(self, x):
        h = self.pool(self.block1(x))
        return self.head(self.block2(h).mean(dim=2))


def seismograms(n, length=24):
    label = torch.randint(0, 3, (n,))
    t = torch.arange(length).float()
    x = 0.3 * torch.randn(n, 2, length)
    onset = torch.randint(2, 10, (n,))
    for i in range(n):
        s = t[onset[i]:] - onset[i]
        x[i, :, onset[i]:] += torch.exp(-s / 6) * torch.sin(s * (0.5 + 0.6 * label[i]))
    return TensorDataset(x, label)


class Catalogue:
    def __init__(self, model, lr=5e-3):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.criterion = nn.CrossEntropyLoss(label_smoothing=0.05)

    def learn(self, loader):
        self.model.train()
        total = 0.0
        for x, y in loader:
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            total += loss.item()
        return total / len(loader)

    def judge(self, loader):
        self.model.eval()
        with torch.no_grad():
            good = sum((self.model(x).argmax(1) == y).sum().item() for x, y in loader)
        return good / len(loader.dataset)


if __name__ == "__main__":
    torch.manual_seed(67)
    job = Catalogue(EventNet())
    train = DataLoader(seismograms(96), batch_size=16, shuffle=True)
    test = DataLoader(seismograms(32), batch_size=16)
    for epoch in range(3):
        print(f"epoch {epoch} loss {job.learn(train):.4f} acc {job.judge(test):.3f}")
