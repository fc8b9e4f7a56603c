"""Rare positives, with a focal loss and a data loader."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(58)


class FocalLoss(nn.Module):
    def __init__(self, gamma, alpha):
        super().__init__()
        self.gamma = gamma
        self.alpha = alpha

    def forward(self, logits, targets):
        bce = nn.functional.binary_cross_entropy_with_logits(logits, targets, reduction="none")
        p = torch.exp(-bce)
        weight = torch.where(targets > 0.5, self.alpha, 1 - self.alpha)
        return (weight * (1 - p).pow(self.gamma) * bce).mean()


class Detector(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.fc1 = nn.Linear(features, 16)
        self.bn = nn.BatchNorm1d(16)
        self.fc2 = nn.Linear(16, 1)

    def forward(self, x):
        x = self.fc1(x)
        x = self.bn(x)
        x = torch.relu(x)
        x = nn.functional.dropout(x, p=0.2, training=self.training)
        return self.fc2(x).squeeze(1)


def make_dataset(n):
    x = torch.randn(n, 6)
    y = (x[:, 0] + x[:, 1] > 1.5).float()
    return TensorDataset(x, y)


def recall(model, loader):
    model.eval()
    hits, positives = 0.0, 0.0
    with torch.no_grad():
        for x, y in loader:
            found = (model(x) > 0).float()
            hits += (found * y).sum().item()
            positives += y.sum().item()
    return hits / max(positives, 1.0)


train_loader = DataLoader(make_dataset(48), batch_size=12, shuffle=True)
test_loader = DataLoader(make_dataset(24), batch_size=12)
model = Detector(6)
criterion = FocalLoss(gamma=2.0, alpha=0.75)
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
for epoch in range(3):
    model.train()
    running_loss = 0.0
    for x, y in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        running_loss += loss.item()
    print(f"epoch {epoch}: {running_loss / len(train_loader):.4f}, recall {recall(model, test_loader):.2f}")
