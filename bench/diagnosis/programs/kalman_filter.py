"""A Kalman filter whose noise and dynamics are learned by maximum likelihood."""

import math

import torch
from torch import nn

torch.manual_seed(119)


class KalmanFilter(nn.Module):
    def __init__(self, states, observed):
        super().__init__()
        self.dynamics = nn.Parameter(torch.eye(states) + 0.05 * torch.randn(states, states))
        self.register_buffer("observe", torch.eye(observed, states))
        self.log_process = nn.Parameter(torch.full((states,), -1.0))
        self.log_noise = nn.Parameter(torch.zeros(observed))

    def predict(self, mean, covariance):
        mean = mean @ self.dynamics.t()
        covariance = self.dynamics @ covariance @ self.dynamics.t() + torch.diag(self.log_process.exp())
        return mean, covariance

    def update(self, mean, covariance, y):
        innovation = y - mean @ self.observe.t()
        spread = self.observe @ covariance @ self.observe.t() + torch.diag(self.log_noise.exp())
        gain = torch.linalg.solve(spread, self.observe @ covariance).t()
        mean = mean + innovation @ gain.t()
        covariance = covariance - gain @ self.observe @ covariance
        whitened = torch.linalg.solve(spread, innovation.t()).t()
        distance = (innovation * whitened).sum(dim=1)
        log_likelihood = -0.5 * (distance + torch.logdet(spread) + len(spread) * math.log(2 * math.pi))
        return mean, covariance, log_likelihood

    def forward(self, observations):
        batch, steps, _ = observations.shape
        states = len(self.dynamics)
        mean, covariance = torch.zeros(batch, states), torch.eye(states)
        total = torch.zeros(batch)
        filtered = []
        for t in range(steps):
            mean, covariance = self.predict(mean, covariance)
            mean, covariance, log_likelihood = self.update(mean, covariance, observations[:, t])
            total = total + log_likelihood
            filtered.append(mean)
        return total / steps, torch.stack(filtered, dim=1)


def simulate(n, steps):
    turn = torch.tensor([[0.95, 0.2], [-0.2, 0.95]])
    state, rows = torch.randn(n, 2), []
    for _ in range(steps):
        state = state @ turn.t() + 0.1 * torch.randn(n, 2)
        rows.append(state)
    truth = torch.stack(rows, dim=1)
    return truth, truth[..., :1] + 0.3 * torch.randn(n, steps, 1)


model = KalmanFilter(states=2, observed=1)
noise = [model.log_process, model.log_noise]
optimizer = torch.optim.Adam([{"params": [model.dynamics], "lr": 0.01}, {"params": noise, "lr": 0.05}])
_, training = simulate(16, 12)
truth, testing = simulate(8, 12)
for step in range(10):
    log_likelihood, _ = model(training)
    loss = -log_likelihood.mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    with torch.no_grad():
        _, filtered = model(testing)
        error = (filtered[..., 0] - truth[..., 0]).pow(2).mean().sqrt()
    print("%d: loss %.4f, error %.4f" % (step, loss.item(), error.item()))
