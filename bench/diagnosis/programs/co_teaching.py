import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(61)


def noisy_labels(n, noise):
    x = torch.randn(n, 5)
    clean = (x[:, 0] - x[:, 1] > 0).long()
    flipped = torch.rand(n) < noise
    return x, torch.where(flipped, 1 - clean, clean), clean


def build():
    return nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 2))


def small_loss_rows(logits, labels, keep):
    with torch.no_grad():
        losses = F.cross_entropy(logits, labels, reduction="none")
        return losses.argsort()[:keep]


class CoTeaching:
    def __init__(self, lr):
        self.first, self.second = build(), build()
        self.first_optimizer = torch.optim.Adam(self.first.parameters(), lr=lr)
        self.second_optimizer = torch.optim.Adam(self.second.parameters(), lr=lr)

    def step(self, x, y, keep):
        first_logits = self.first(x)
        second_logits = self.second(x)
        for_second = small_loss_rows(first_logits, y, keep)
        for_first = small_loss_rows(second_logits, y, keep)

        first_loss = F.cross_entropy(first_logits[for_first], y[for_first])
        self.first_optimizer.zero_grad()
        first_loss.backward()
        self.first_optimizer.step()

        second_loss = F.cross_entropy(second_logits[for_second], y[for_second])
        self.second_optimizer.zero_grad()
        second_loss.backward()
        self.second_optimizer.step()
        return first_loss.item(), second_loss.item()

    def accuracy(self, x, y):
        self.first.eval()
        self.second.eval()
        with torch.no_grad():
            logits = self.first(x) + self.second(x)
        self.first.train()
        self.second.train()
        return (logits.argmax(dim=1) == y).float().mean().item()


x, y, clean = noisy_labels(48, 0.2)
trainer = CoTeaching(lr=0.01)
for epoch in range(3):
    keep = 12 - epoch
    for start in range(0, 48, 12):
        losses = trainer.step(x[start : start + 12], y[start : start + 12], keep)
    print(epoch, [round(v, 3) for v in losses], trainer.accuracy(x, clean))
