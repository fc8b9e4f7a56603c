"""Sliced score matching, then samples by Langevin dynamics."""

import torch
import torch.nn as nn

torch.manual_seed(115)


class ScoreNet(nn.Module):
    def __init__(self, dim, width):
        super().__init__()
        self.inner = nn.Linear(dim, width)
        self.middle = nn.Linear(width, width)
        self.outer = nn.Linear(width, dim)

    def forward(self, x):
        h = nn.functional.softplus(self.inner(x))
        h = h + torch.tanh(self.middle(h))
        return self.outer(h)


def mixture(n):
    side = torch.randint(0, 2, (n, 1)).float() * 2 - 1
    return 1.5 * side * torch.tensor([1.0, 0.5]) + 0.4 * torch.randn(n, 2)


def sliced_score_loss(score, x, slices):
    x = x.repeat(slices, 1).requires_grad_()
    directions = torch.randn_like(x)
    values = score(x)
    projected = (values * directions).sum()
    (curvature,) = torch.autograd.grad(projected, x, create_graph=True)
    trace_term = (curvature * directions).sum(dim=1)
    norm_term = 0.5 * values.pow(2).sum(dim=1)
    return (trace_term + norm_term).mean()


def langevin(score, n, steps, size):
    x = torch.randn(n, 2)
    with torch.no_grad():
        for _ in range(steps):
            x = x + 0.5 * size * score(x) + size**0.5 * torch.randn_like(x)
    return x


def ema_update(average, score, decay):
    with torch.no_grad():
        for slow, fast in zip(average.parameters(), score.parameters()):
            slow.mul_(decay).add_(fast, alpha=1 - decay)


score, average = ScoreNet(2, 24), ScoreNet(2, 24)
average.load_state_dict(score.state_dict())
for parameter in average.parameters():
    parameter.requires_grad = False
optimizer = torch.optim.Adam(score.parameters(), lr=5e-3)
for step in range(20):
    loss = sliced_score_loss(score, mixture(32), slices=2)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(score.parameters(), 10.0)
    optimizer.step()
    ema_update(average, score, decay=0.8)
    if step % 5 == 4:
        print("step", step, "loss %.4f" % loss.item())
samples = langevin(average, 50, steps=10, size=0.05)
print("mean distance %.3f" % samples.norm(dim=1).mean().item())
