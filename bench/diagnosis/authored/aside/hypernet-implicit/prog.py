import torch
import torch.nn as nn
import torch.nn.functional as F


class SineSignal:
    """A family of one-dimensional signals, every signal has a code."""

    def __init__(self, count=16, points=40, seed=0):
        g = torch.Generator().manual_seed(seed)
        self.codes = torch.randn(count, 3, generator=g)
        self.x = torch.linspace(-1, 1, points).unsqueeze(1)

    def __len__(self):
        return len(self.codes)

    def values(self, i):
        a, f, p = self.codes[i]
        return (1 + 0.3 * a) * torch.sin(3 * (1 + 0.2 * f) * self.x + p)


class TargetMLP(nn.Module):
    def __init__(self, hidden=12):
        super().__init__()
        self.hidden = hidden
        self.fc1 = nn.Linear(1, hidden)
        self.fc2 = nn.Linear(hidden, 1)

    def shapes(self):
        return [tuple(p.shape) for p in self.parameters()]

    def forward(self, x):
        return self.fc2(torch.sin(4 * self.fc1(x)))


class HyperNetwork(nn.Module):
    def __init__(self, code_dim, shapes, width=32):
        super().__init__()
        self.shapes = shapes
        self.trunk = nn.Sequential(nn.Linear(code_dim, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh())
        self.heads = nn.ModuleList(nn.Linear(width, int(torch.tensor(s).prod())) for s in shapes)

    def forward(self, code):
        h = self.trunk(code)
        return [head(h).view(s) for head, s in zip(self.heads, self.shapes)]


class ImplicitField(nn.Module):
    def __init__(self, code_dim=3):
        super().__init__()
        self.target = TargetMLP()
        self.hyper = HyperNetwork(code_dim, self.target.shapes())

    def install(self, weights):
        w1, b1, w2, b2 = weights
        self.target.fc1.weight = nn.Parameter(w1)
        self.target.fc1.bias = nn.Parameter(b1)
        self.target.fc2.weight = nn.Parameter(w2)
        self.target.fc2.bias = nn.Parameter(b2)

    def forward(self, code, x):
        self.install(self.hyper(code))
        return self.target(x)


def evaluate(model, signals, indices):
    model.eval()
    with torch.no_grad():
        errors = [F.mse_loss(model(signals.codes[i], signals.x), signals.values(i)) for i in indices]
    model.train()
    return torch.stack(errors).mean().item()


def train(model, signals, indices, epochs, lr=5e-3):
    optimizer = torch.optim.Adam(model.hyper.parameters(), lr=lr)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.95)
    history = []
    for epoch in range(epochs):
        total = 0.0
        for i in torch.randperm(len(indices)).tolist():
            optimizer.zero_grad()
            prediction = model(signals.codes[indices[i]], signals.x)
            loss = F.mse_loss(prediction, signals.values(indices[i]))
            loss.backward()
            optimizer.step()
            total += loss.item()
        scheduler.step()
        history.append(total / len(indices))
    return history


if __name__ == "__main__":
    torch.manual_seed(15)
    signals = SineSignal()
    train_ids, test_ids = list(range(12)), list(range(12, 16))
    model = ImplicitField()
    history = train(model, signals, train_ids, epochs=6)
    print("train", [round(v, 4) for v in history])
    print("test", round(evaluate(model, signals, test_ids), 4))
