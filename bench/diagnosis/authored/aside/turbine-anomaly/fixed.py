import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


def record_turbine(length, channels=3):
    g = torch.Generator().manual_seed(5)
    t = torch.arange(length).float()
    rows = [torch.sin(t / (4 + c)) * (1 + c) + 0.002 * c * t for c in range(channels)]
    return torch.stack(rows, dim=1) + 0.1 * torch.randn(length, channels, generator=g)


class Standardize:
    """Per-window z-score."""

    def __init__(self, eps=1e-5):
        self.eps = eps

    def __call__(self, window):
        window -= window.mean(dim=0, keepdim=True)
        window /= window.std(dim=0, keepdim=True) + self.eps
        return window


class SlidingWindows(Dataset):
    def __init__(self, series, width, stride, transform=None):
        self.series = series
        self.width, self.stride = width, stride
        self.transform = transform

    def __len__(self):
        return (len(self.series) - self.width) // self.stride + 1

    def __getitem__(self, index):
        start = index * self.stride
        window = self.series[start:start + self.width].clone()
        if self.transform is not None:
            window = self.transform(window)
        return window


class ConvAutoencoder(nn.Module):
    def __init__(self, channels=3, width=16):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv1d(channels, 12, 5, stride=2, padding=2), nn.ELU(),
            nn.Conv1d(12, 4, 5, stride=2, padding=2),
        )
        self.decoder = nn.Sequential(
            nn.Upsample(scale_factor=2), nn.Conv1d(4, 12, 5, padding=2), nn.ELU(),
            nn.Upsample(scale_factor=2), nn.Conv1d(12, channels, 5, padding=2),
        )

    def forward(self, x):
        return self.decoder(self.encoder(x.transpose(1, 2))).transpose(1, 2)


def anomaly_scores(model, loader):
    model.eval()
    scores = []
    with torch.no_grad():
        for x in loader:
            scores.append((model(x) - x).pow(2).mean(dim=(1, 2)))
    model.train()
    return torch.cat(scores)


torch.manual_seed(11)
train_set = SlidingWindows(record_turbine(240), width=16, stride=4, transform=Standardize())
train_loader = DataLoader(train_set, batch_size=16, shuffle=True)
score_loader = DataLoader(train_set, batch_size=16)
model = ConvAutoencoder()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(4):
    running, seen = 0.0, 0
    for batch in train_loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(batch), batch)
        loss.backward()
        optimizer.step()
        running += loss.item() * len(batch)
        seen += len(batch)
    print(f"epoch {epoch}: reconstruction {running / seen:.4f}")
scores = anomaly_scores(model, score_loader)
threshold = scores.mean() + 2 * scores.std()
print("windows above threshold:", int((scores > threshold).sum()), "of", len(train_set))
