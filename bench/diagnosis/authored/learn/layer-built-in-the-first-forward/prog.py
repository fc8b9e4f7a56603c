import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class FlexibleEncoder(nn.Module):
    """Convolutions for any length of input; the projection fits itself."""

    def __init__(self, channels=1, width=8, embed=16):
        super().__init__()
        self.conv1 = nn.Conv1d(channels, width, 5, stride=2)
        self.conv2 = nn.Conv1d(width, width, 3, stride=2)
        self.embed = embed
        self.projection = None

    def forward(self, x):
        h = torch.relu(self.conv1(x))
        h = torch.relu(self.conv2(h)).flatten(1)
        if self.projection is None:
            self.projection = nn.Linear(h.shape[1], self.embed)
        return torch.tanh(self.projection(h))


class HeartModel(nn.Module):
    def __init__(self, classes=3):
        super().__init__()
        self.encoder = FlexibleEncoder()
        self.head = nn.Linear(16, classes)

    def forward(self, x):
        return self.head(self.encoder(x))


def beats(n, length=32):
    t = torch.linspace(0, 1, length)
    label = torch.randint(0, 3, (n,))
    freq = (2 + 2 * label).unsqueeze(1).float()
    x = torch.sin(6.283 * freq * t + torch.rand(n, 1)) + 0.3 * torch.randn(n, length)
    return TensorDataset(x.unsqueeze(1), label)


class Study:
    def __init__(self, model, train, valid, lr=0.02):
        self.model, self.train_loader, self.valid_loader = model, train, valid
        self.optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
        self.criterion = nn.CrossEntropyLoss()

    def train(self):
        self.model.train()
        total = 0.0
        for x, y in self.train_loader:
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            total += loss.item()
        return total / len(self.train_loader)

    def validate(self):
        self.model.eval()
        good = 0
        with torch.no_grad():
            for x, y in self.valid_loader:
                good += (self.model(x).argmax(dim=1) == y).sum().item()
        return good / len(self.valid_loader.dataset)


torch.manual_seed(38)
study = Study(HeartModel(), DataLoader(beats(96), batch_size=16, shuffle=True), DataLoader(beats(32), batch_size=16))
for epoch in range(3):
    print(f"epoch {epoch} loss {study.train():.4f} acc {study.validate():.3f}")
