import copy

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Expert(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.up, self.down = nn.Linear(width, hidden), nn.Linear(hidden, width)

    def forward(self, x):
        return self.down(torch.relu(self.up(x)))


class MixtureOfExperts(nn.Module):
    def __init__(self, width=12, hidden=16, count=3):
        super().__init__()
        expert = Expert(width, hidden)
        self.experts = nn.ModuleList([copy.deepcopy(expert) for _ in range(count)])
        self.gate = nn.Linear(width, count)
        nn.init.zeros_(self.gate.weight)
        nn.init.zeros_(self.gate.bias)

    def forward(self, x):
        weight = torch.softmax(self.gate(x), dim=1)
        outputs = torch.stack([expert(x) for expert in self.experts], dim=1)
        return (weight.unsqueeze(-1) * outputs).sum(dim=1)


class DemandModel(nn.Module):
    def __init__(self, inputs=8, width=12):
        super().__init__()
        self.stem = nn.Sequential(nn.Linear(inputs, width), nn.Tanh())
        self.moe = MixtureOfExperts(width)
        self.head = nn.Linear(width, 1)

    def forward(self, x):
        h = self.stem(x)
        return self.head(h + self.moe(h)).squeeze(1)


def regimes(n):
    """Three regimes with laws of their own."""
    x = torch.randn(n, 8)
    kind = torch.randint(0, 3, (n,))
    x[torch.arange(n), kind] += 3
    laws = torch.tensor([[1.0, -1.0], [-2.0, 0.5], [0.3, 2.0]])
    y = (laws[kind] * x[:, 3:5]).sum(dim=1)
    return TensorDataset(x, y + 0.1 * torch.randn(n))


class Session:
    def __init__(self, model, lr=3e-3):
        self.model, self.criterion = model, nn.HuberLoss()
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)

    def epoch(self, loader):
        self.model.train()
        total = 0.0
        for x, y in loader:
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            total += loss.item()
        return total / len(loader)

    @torch.no_grad()
    def error(self, loader):
        self.model.eval()
        return sum((self.model(x) - y).abs().mean().item() for x, y in loader) / len(loader)


if __name__ == "__main__":
    torch.manual_seed(18)
    train, valid = DataLoader(regimes(192), batch_size=24, shuffle=True), DataLoader(regimes(48), batch_size=24)
    session = Session(DemandModel())
    for epoch in range(3):
        print(f"epoch {epoch} loss {session.epoch(train):.4f} error {session.error(valid):.4f}")
