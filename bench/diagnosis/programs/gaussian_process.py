"""Gaussian process regression; the hyperparameters maximise the marginal likelihood."""

import math

import torch

torch.manual_seed(46)


class Kernel(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.log_length = torch.nn.Parameter(torch.tensor(0.0))
        self.log_scale = torch.nn.Parameter(torch.tensor(0.0))
        self.log_noise = torch.nn.Parameter(torch.tensor(-1.0))

    def forward(self, a, b):
        difference = a.unsqueeze(1) - b.unsqueeze(0)
        squared = (difference / self.log_length.exp()).pow(2)
        return self.log_scale.exp() * torch.exp(-0.5 * squared)

    def covariance(self, x):
        noise = self.log_noise.exp() + 1e-5
        return self(x, x) + noise * torch.eye(len(x))


def negative_log_likelihood(kernel, x, y):
    chol = torch.linalg.cholesky(kernel.covariance(x))
    alpha = torch.cholesky_solve(y.unsqueeze(1), chol).squeeze(1)
    fit = 0.5 * (y * alpha).sum()
    complexity = chol.diagonal().log().sum()
    return fit + complexity + 0.5 * len(x) * math.log(2 * math.pi)


def predict(kernel, x, y, new):
    with torch.no_grad():
        chol = torch.linalg.cholesky(kernel.covariance(x))
        alpha = torch.cholesky_solve(y.unsqueeze(1), chol)
        cross = kernel(new, x)
        mean = (cross @ alpha).squeeze(1)
        reduction = cross @ torch.cholesky_solve(cross.t(), chol)
        variance = kernel(new, new).diagonal() - reduction.diagonal()
    return mean, variance.clamp(min=0).sqrt()


x = torch.linspace(-3, 3, 14)
y = torch.sin(2 * x) + 0.1 * torch.randn(14)
kernel = Kernel()
optimizer = torch.optim.Adam(kernel.parameters(), lr=0.1)
for iteration in range(8):
    optimizer.zero_grad()
    loss = negative_log_likelihood(kernel, x, y)
    loss.backward()
    optimizer.step()
    if iteration % 2 == 1:
        print(f"{iteration}: {loss.item():.4f} length {kernel.log_length.exp().item():.3f}")
mean, std = predict(kernel, x, y, torch.tensor([-0.5, 0.5]))
print(mean, std)
