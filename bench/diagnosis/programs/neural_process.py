"""A conditional neural process with a latent path."""

import torch
from torch import nn
from torch.distributions import Normal, kl_divergence

torch.manual_seed(116)


def mlp(*sizes):
    layers = []
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


class NeuralProcess(nn.Module):
    def __init__(self, width, latent):
        super().__init__()
        self.embed = mlp(2, width, width)
        self.to_latent = nn.Linear(width, 2 * latent)
        self.decode = mlp(1 + width + latent, width, 2)

    def summarize(self, x, y):
        return self.embed(torch.cat((x, y), dim=-1)).mean(dim=1)

    def latent(self, summary):
        mean, raw = self.to_latent(summary).chunk(2, dim=-1)
        return Normal(mean, 0.1 + 0.9 * torch.sigmoid(raw))

    def forward(self, context, x, y=None):
        summary = self.summarize(*context)
        prior = self.latent(summary)
        posterior = self.latent(self.summarize(x, y)) if y is not None else prior
        z = posterior.rsample()
        both = torch.cat((summary, z), dim=-1)
        inputs = torch.cat((x, both.unsqueeze(1).expand(-1, x.shape[1], -1)), dim=-1)
        mean, raw = self.decode(inputs).chunk(2, dim=-1)
        return Normal(mean, 0.1 + nn.functional.softplus(raw)), prior, posterior


class Functions:
    """Sine waves with random amplitude and phase."""

    def batch(self, n, points):
        x = 4 * torch.rand(n, points, 1) - 2
        amplitude, phase = torch.rand(n, 1, 1) + 0.5, 3 * torch.rand(n, 1, 1)
        return x, amplitude * torch.sin(x + phase)


def elbo_loss(model, x, y, shown):
    predicted, prior, posterior = model((x[:, :shown], y[:, :shown]), x, y)
    log_likelihood = predicted.log_prob(y).mean(dim=(1, 2))
    divergence = kl_divergence(posterior, prior).sum(dim=-1) / x.shape[1]
    return (divergence - log_likelihood).mean()


functions = Functions()
model = NeuralProcess(width=24, latent=4)
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for step in range(16):
    x, y = functions.batch(12, points=14)
    shown = 3 + step % 5
    optimizer.zero_grad()
    loss = elbo_loss(model, x, y, shown)
    loss.backward()
    optimizer.step()
    if step % 4 == 3:
        print("step", step, "loss %.4f" % loss.item())
with torch.no_grad():
    x, y = functions.batch(8, points=20)
    predicted, _, _ = model((x[:, :10], y[:, :10]), x[:, 10:])
print("error %.4f" % (predicted.mean - y[:, 10:]).pow(2).mean().item())
