"""Logistic regression without an optimizer."""

import torch

torch.manual_seed(67)


def make_classification(n, features):
    x = torch.randn(n, features)
    truth = torch.randn(features)
    y = (x @ truth > 0).float()
    return x, y


def predict(x, w, b):
    return torch.sigmoid(x @ w + b)


def log_loss(p, y):
    p = p.clamp(1e-6, 1 - 1e-6)
    loss = -(y * torch.log(p) + (1 - y) * torch.log(1 - p))
    return loss.mean()


x, y = make_classification(40, 3)
w = torch.zeros(3, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
velocity = [torch.zeros(3), torch.zeros(1)]
losses = []
for epoch in range(3):
    for start in range(0, 40, 10):
        rows = slice(start, start + 10)
        probability = predict(x[rows], w, b)
        loss = log_loss(probability, y[rows]) + 1e-3 * w.pow(2).sum()
        loss.backward()
        with torch.no_grad():
            for p, v in zip((w, b), velocity):
                v.mul_(0.9).add_(p.grad)
                p -= 0.3 * v
                p.grad.zero_()
        losses.append(loss.item())
    print(f"epoch {epoch}: {sum(losses[-4:]) / 4:.4f}")

with torch.no_grad():
    hits = ((predict(x, w, b) > 0.5).float() == y).float().mean()
print("accuracy", hits.item())
