import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class RunningNorm(nn.Module):
    """Normalises features; evaluation uses running statistics."""

    def __init__(self, features, momentum=0.1, eps=1e-5):
        super().__init__()
        self.momentum, self.eps = momentum, eps
        self.gain, self.shift = nn.Parameter(torch.ones(features)), nn.Parameter(torch.zeros(features))
        self.register_buffer("mean", torch.zeros(features))
        self.register_buffer("var", torch.ones(features))

    def forward(self, x):
        if self.training:
            mean, var = x.mean(dim=0), x.var(dim=0, unbiased=False)
            self.mean = (1 - self.momentum) * self.mean + self.momentum * mean
            self.var = (1 - self.momentum) * self.var + self.momentum * var
        else:
            mean, var = self.mean, self.var
        return self.gain * (x - mean) / torch.sqrt(var + self.eps) + self.shift


class Churn(nn.Module):
    def __init__(self, numeric=6, plans=4, width=24):
        super().__init__()
        self.plan = nn.Embedding(plans, 4)
        self.norm_in = RunningNorm(numeric)
        self.fc1, self.norm1 = nn.Linear(numeric + 4, width), RunningNorm(width)
        self.fc2 = nn.Linear(width, 1)

    def forward(self, numeric, plan):
        x = torch.cat([self.norm_in(numeric), self.plan(plan)], dim=1)
        return self.fc2(torch.relu(self.norm1(self.fc1(x)))).squeeze(1)


def customers(n):
    numeric = torch.randn(n, 6) * torch.tensor([1.0, 10.0, 100.0, 2.0, 5.0, 0.1]) + 3
    plan = torch.randint(0, 4, (n,))
    score = 0.3 * (numeric[:, 0] - 3) + 0.05 * (numeric[:, 1] - 3) + 0.5 * (plan - 1.5)
    return TensorDataset(numeric, plan, (score + 0.3 * torch.randn(n) > 0).float())


def evaluate(model, loader):
    model.eval()
    good = seen = 0
    with torch.no_grad():
        for numeric, plan, label in loader:
            good += ((model(numeric, plan) > 0).float() == label).sum().item()
            seen += len(label)
    return good / seen


def main():
    torch.manual_seed(27)
    train, test = DataLoader(customers(256), batch_size=16, shuffle=True), DataLoader(customers(64), batch_size=32)
    model = Churn()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    criterion = nn.BCEWithLogitsLoss()
    for epoch in range(2):
        model.train()
        for numeric, plan, label in train:
            optimizer.zero_grad()
            loss = criterion(model(numeric, plan), label)
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch} loss {loss.item():.4f} acc {evaluate(model, test):.3f}")


main()
