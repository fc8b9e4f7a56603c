"""Discrete codes with the Gumbel-softmax relaxation and an annealed temperature."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(62)


def gumbel_noise(shape):
    uniform = torch.rand(shape).clamp(1e-6, 1 - 1e-6)
    return -torch.log(-torch.log(uniform))


class DiscreteAutoencoder(nn.Module):
    def __init__(self, inputs, codes, categories):
        super().__init__()
        self.codes, self.categories = codes, categories
        self.encoder = nn.Linear(inputs, codes * categories)
        self.decoder = nn.Sequential(nn.Linear(codes * categories, 16), nn.ReLU(), nn.Linear(16, inputs))

    def forward(self, x, temperature):
        logits = self.encoder(x).view(-1, self.codes, self.categories)
        noisy = (logits + gumbel_noise(logits.shape)) / temperature
        sample = F.softmax(noisy, dim=-1)
        return self.decoder(sample.flatten(1)), logits


def negative_entropy(logits):
    log_q = F.log_softmax(logits, dim=-1)
    return (log_q.exp() * log_q).sum(dim=-1).mean()


data = (torch.rand(48, 8) < 0.5).float()
data[:, 4:] = data[:, :4]
model = DiscreteAutoencoder(8, 4, 2)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
temperature = 1.0
for epoch in range(4):
    for x in data.split(16):
        reconstruction, logits = model(x, temperature)
        fit = F.binary_cross_entropy_with_logits(reconstruction, x)
        loss = fit + 0.05 * negative_entropy(logits)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    temperature = max(0.5, temperature * 0.9)
    print(f"epoch {epoch}: {fit.item():.4f} at {temperature:.2f}")
