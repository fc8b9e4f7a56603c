"""Cross-validation: each fold trains a model of its own."""

import torch
from torch import nn

torch.manual_seed(41)


def make_model(inputs, classes):
    return nn.Sequential(nn.Linear(inputs, 12), nn.BatchNorm1d(12), nn.ReLU(), nn.Dropout(0.2), nn.Linear(12, classes))


def folds(n, k):
    parts = torch.randperm(n).chunk(k)
    for i in range(k):
        rest = torch.cat([part for j, part in enumerate(parts) if j != i])
        yield rest, parts[i]


def fit(model, x, y, epochs, batch_size):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.3)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.05)
    model.train()
    for _ in range(epochs):
        for start in range(0, len(x), batch_size):
            inputs = x[start : start + batch_size]
            targets = y[start : start + batch_size]
            optimizer.zero_grad()
            loss = criterion(model(inputs), targets)
            loss.backward()
            optimizer.step()
        scheduler.step()


def accuracy(model, x, y):
    model.eval()
    with torch.no_grad():
        predictions = model(x).argmax(dim=1)
    return (predictions == y).float().mean().item()


x = torch.randn(36, 5)
y = (x[:, :3].sum(dim=1) > 0).long() + (x[:, 3] > 1).long()
scores = []
for fold, (train, test) in enumerate(folds(len(x), 3)):
    model = make_model(5, 3)
    fit(model, x[train], y[train], epochs=3, batch_size=8)
    scores.append(accuracy(model, x[test], y[test]))
    print(f"fold {fold}: {scores[-1]:.3f}")
print("mean", sum(scores) / len(scores))
