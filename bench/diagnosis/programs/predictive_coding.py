"""Contrastive predictive coding: a context predicts the codes of the next steps."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(114)


class Encoder(nn.Module):
    def __init__(self, channels, width):
        super().__init__()
        self.first = nn.Conv1d(channels, width, 4, stride=2, padding=1)
        self.second = nn.Conv1d(width, width, 4, stride=2, padding=1)

    def forward(self, wave):
        h = F.relu(self.first(wave))
        h = F.relu(self.second(h))
        return h.transpose(1, 2)


class CPC(nn.Module):
    def __init__(self, width, context, horizon):
        super().__init__()
        self.encoder = Encoder(1, width)
        self.summarize = nn.GRU(width, context, batch_first=True)
        self.predictors = nn.ModuleList([nn.Linear(context, width, bias=False) for _ in range(horizon)])

    def forward(self, wave, position):
        codes = self.encoder(wave)
        contexts, _ = self.summarize(codes[:, : position + 1])
        context = contexts[:, -1]
        losses, right = [], []
        labels = torch.arange(len(wave))
        for k, predictor in enumerate(self.predictors, start=1):
            scores = predictor(context) @ codes[:, position + k].t()
            losses.append(F.cross_entropy(scores, labels))
            right.append((scores.argmax(dim=1) == labels).float().mean())
        return torch.stack(losses).mean(), torch.stack(right)


def waves(n, length):
    time = torch.arange(length).float()
    frequency = 0.1 + 0.5 * torch.rand(n, 1)
    phase = 6.28 * torch.rand(n, 1)
    clean = torch.sin(frequency * time + phase)
    return (clean + 0.05 * torch.randn(n, length)).unsqueeze(1)


def probe(model, wave):
    model.eval()
    with torch.no_grad():
        features = model.encoder(wave).mean(dim=1)
    model.train()
    return features.std(dim=0).mean().item()


model = CPC(width=12, context=16, horizon=2)
optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1 / (1 + 0.1 * step))
for step in range(10):
    wave = waves(12, 40)
    position = 4 + step % 3
    loss, accuracy = model(wave, position)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    schedule.step()
    print("%d: loss %.4f, accuracy %s" % (step, loss.item(), ["%.2f" % a for a in accuracy.tolist()]))
print("spread %.4f" % probe(model, waves(12, 40)))
