import torch
import torch.nn as nn
import torch.nn.functional as F


class Member(nn.Module):
    def __init__(self, n_in, hidden, dropout):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(n_in, hidden), nn.ReLU(), nn.Dropout(dropout),
            nn.Linear(hidden, hidden), nn.ReLU(), nn.Dropout(dropout))
        self.mean = nn.Linear(hidden, 1)
        self.log_var = nn.Linear(hidden, 1)

    def forward(self, x):
        h = self.net(x)
        return self.mean(h), self.log_var(h).clamp(-6, 3)


class DeepEnsemble(nn.Module):
    def __init__(self, n_in, size=3, hidden=24, dropout=0.1):
        super().__init__()
        self.members = nn.ModuleList([Member(n_in, hidden, dropout) for _ in range(size)])
        self.register_buffer("y_mean", torch.zeros(1))
        self.register_buffer("y_std", torch.ones(1))

    def all_parameters(self):
        return [p for m in self.members for p in m.parameters()]

    def set_scale(self, y):
        self.y_mean.fill_(y.mean().item())
        self.y_std.fill_(y.std().item())

    def nll(self, x, y):
        target = (y - self.y_mean) / self.y_std
        losses = []
        for m in self.members:
            idx = torch.randint(len(x), (len(x),))
            mu, log_var = m(x[idx])
            losses.append((0.5 * (log_var + (target[idx] - mu) ** 2 / log_var.exp())).mean())
        return torch.stack(losses).sum()

    def forward(self, x):
        mus, variances = [], []
        for m in self.members:
            mu, log_var = m(x)
            mus.append(mu)
            variances.append(log_var.exp())
        mu, var = torch.stack(mus), torch.stack(variances)
        total = (var + mu ** 2).mean(0) - mu.mean(0) ** 2
        return mu.mean(0) * self.y_std + self.y_mean, total.clamp(min=1e-6).sqrt() * self.y_std


def concrete_strength(n):
    x = torch.rand(n, 5)
    y = 30 * x[:, :1] + 12 * torch.sin(3 * x[:, 1:2]) - 9 * x[:, 2:3] * x[:, 3:4] + torch.randn(n, 1)
    return x, y


class Experiment:
    def __init__(self, model, lr=1e-2, batch_size=32):
        self.model, self.batch_size = model, batch_size
        self.optimizer = torch.optim.Adam(model.all_parameters(), lr=lr)

    def train_epoch(self, x, y):
        self.model.train()
        for idx in torch.randperm(len(x)).split(self.batch_size):
            loss = self.model.nll(x[idx], y[idx])
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
        return loss.item()

    def evaluate(self, x, y):
        self.model.eval()
        with torch.no_grad():
            mu, std = self.model(x)
        inside = ((y - mu).abs() < 1.96 * std).float().mean().item()
        return {"rmse": F.mse_loss(mu, y).sqrt().item(), "coverage": inside}


if __name__ == "__main__":
    torch.manual_seed(7)
    (x, y), (x_test, y_test) = concrete_strength(160), concrete_strength(80)
    model = DeepEnsemble(5)
    model.set_scale(y)
    experiment = Experiment(model)
    for epoch in range(5):
        loss = experiment.train_epoch(x, y)
        print(epoch, "%.3f" % loss, experiment.evaluate(x_test, y_test))
