import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class GaussianNLL(torch.autograd.Function):
    """Fused negative log-likelihood of a diagonal Gaussian."""

    @staticmethod
    def forward(ctx, mean, log_std, target):
        z = (target - mean) * torch.exp(-log_std)
        ctx.save_for_backward(z, log_std)
        return (0.5 * z.pow(2) + log_std).mean()

    @staticmethod
    def backward(ctx, grad_output):
        z, log_std = ctx.saved_tensors
        scale = grad_output / z.numel()
        grad_mean = -z * torch.exp(-log_std) * scale
        grad_log_std = (1 - z.pow(2)) * scale
        return grad_mean, grad_log_std, None


class Dynamics(nn.Module):
    """Probabilistic one-step model of a pendulum."""

    def __init__(self, state=2, action=1, hidden=24):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(state + action, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU())
        self.mean, self.log_std = nn.Linear(hidden, state), nn.Linear(hidden, state)

    def forward(self, s, a):
        h = self.body(torch.cat([s, a], dim=1))
        return self.mean(h), torch.tanh(self.log_std(h)) * 2


def pendulum(n, dt=0.1):
    s = torch.stack([3 * (2 * torch.rand(n) - 1), torch.randn(n)], dim=1)
    a = 2 * torch.rand(n, 1) - 1
    acceleration = torch.sin(s[:, 0]) * 2 + a[:, 0]
    following = torch.stack([s[:, 0] + dt * s[:, 1], s[:, 1] + dt * acceleration], dim=1)
    return TensorDataset(s, a, following - s + 0.01 * torch.randn(n, 2))


class ModelLearner:
    def __init__(self, model, lr=3e-3):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            total = 0.0
            for s, a, delta in loader:
                loss = GaussianNLL.apply(*self.model(s, a), delta)
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
                total += loss.item()
            print(f"epoch {epoch} nll {total / len(loader):.4f}")

    @torch.no_grad()
    def error(self, data):
        s, a, delta = data.tensors
        return (self.model(s, a)[0] - delta).pow(2).mean().item()


if __name__ == "__main__":
    torch.manual_seed(71)
    learner = ModelLearner(Dynamics())
    learner.fit(DataLoader(pendulum(160), batch_size=20, shuffle=True), epochs=3)
    print("error", round(learner.error(pendulum(40)), 5))
