import torch
from torch import nn

torch.manual_seed(57)


class Member(nn.Module):
    """Predicts the mean and the variance of a Gaussian."""

    def __init__(self, width):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(1, width), nn.ReLU())
        self.mean = nn.Linear(width, 1)
        self.raw_variance = nn.Linear(width, 1)

    def forward(self, x):
        h = self.body(x)
        variance = nn.functional.softplus(self.raw_variance(h)) + 1e-4
        return self.mean(h), variance


def gaussian_nll(mean, variance, y):
    return (0.5 * variance.log() + 0.5 * (y - mean).pow(2) / variance).mean()


def train_member(member, x, y, epochs):
    optimizer = torch.optim.Adam(member.parameters(), lr=0.02)
    for _ in range(epochs):
        for rows in torch.randperm(len(x)).split(10):
            mean, variance = member(x[rows])
            loss = gaussian_nll(mean, variance, y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return loss.item()


def predict(members, x):
    with torch.no_grad():
        outputs = [member(x) for member in members]
    means = torch.stack([mean for mean, _ in outputs])
    variances = torch.stack([variance for _, variance in outputs])
    mean = means.mean(dim=0)
    variance = (variances + means.pow(2)).mean(dim=0) - mean.pow(2)
    return mean, variance.sqrt()


x = torch.rand(40, 1) * 4 - 2
y = x.pow(2) + 0.3 * x.abs() * torch.randn(40, 1)
members = [Member(12) for _ in range(3)]
for i, member in enumerate(members):
    print("member", i, round(train_member(member, x, y, epochs=2), 4))
mean, std = predict(members, torch.tensor([[0.0], [1.0], [4.0]]))
print(mean.squeeze(1), std.squeeze(1))
