import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

SETTINGS = """
hidden = 24
epochs = 3
batch = 16
rate = 0.005
"""


class Settings:
    def __init__(self, text):
        for line in text.strip().splitlines():
            name, value = (part.strip() for part in line.split("="))
            setattr(self, name, int(float(value)))


class Autoencoder(nn.Module):
    def __init__(self, inputs, hidden, code=3):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(inputs, hidden), nn.ELU(), nn.Linear(hidden, code))
        self.decoder = nn.Sequential(nn.Linear(code, hidden), nn.ELU(), nn.Linear(hidden, inputs))

    def forward(self, x):
        return self.decoder(self.encoder(x))


class Anomalies:
    def __init__(self, inputs=12, factors=3):
        self.mix = torch.randn(factors, inputs)

    def normal(self, n):
        return torch.randn(n, len(self.mix)) @ self.mix + 0.1 * torch.randn(n, self.mix.shape[1])

    def odd(self, n):
        return 2 * torch.randn(n, self.mix.shape[1])


class Detector:
    def __init__(self, settings, source):
        self.settings, self.source = settings, source
        self.model = Autoencoder(source.mix.shape[1], settings.hidden)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=settings.rate)
        self.criterion = nn.MSELoss()

    def fit(self, data):
        loader = DataLoader(TensorDataset(data), batch_size=self.settings.batch, shuffle=True)
        for epoch in range(self.settings.epochs):
            total = 0.0
            for (x,) in loader:
                self.optimizer.zero_grad()
                loss = self.criterion(self.model(x), x)
                loss.backward()
                self.optimizer.step()
                total += loss.item()
            print(f"epoch {epoch} loss {total / len(loader):.4f}")

    @torch.no_grad()
    def score(self, x):
        return (self.model(x) - x).pow(2).mean(dim=1)


def main():
    torch.manual_seed(66)
    source = Anomalies()
    detector = Detector(Settings(SETTINGS), source)
    detector.fit(source.normal(128))
    normal, odd = detector.score(source.normal(32)), detector.score(source.odd(32))
    print("normal", round(normal.mean().item(), 4), "odd", round(odd.mean().item(), 4))
    print("separated", (odd > normal.max()).float().mean().item())


main()
