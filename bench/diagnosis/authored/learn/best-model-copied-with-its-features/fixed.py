import copy

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class TextCNN(nn.Module):
    def __init__(self, vocab=40, width=12, classes=3, kernels=(2, 3)):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.convs = nn.ModuleList(nn.Conv1d(width, 8, k) for k in kernels)
        self.fc = nn.Linear(8 * len(kernels), classes)
        self.features = None

    def forward(self, ids):
        x = self.embed(ids).transpose(1, 2)
        pooled = [torch.relu(conv(x)).amax(dim=2) for conv in self.convs]
        features = torch.cat(pooled, dim=1)
        self.features = features.detach()
        return self.fc(features)


class EarlyStopping:
    def __init__(self, patience=2):
        self.patience, self.best, self.count, self.model = patience, None, 0, None

    def __call__(self, score, model):
        if self.best is None or score > self.best:
            self.best, self.count = score, 0
            self.model = copy.deepcopy(model)
            return False
        self.count += 1
        return self.count >= self.patience


def feature_norm(model):
    return model.features.norm(dim=1).mean().item()


def topics(n, vocab=40, length=9):
    label = torch.randint(0, 3, (n,))
    ids = torch.randint(9, vocab, (n, length))
    place = torch.randint(0, length - 1, (n,))
    ids[torch.arange(n), place] = 3 * label
    ids[torch.arange(n), place + 1] = 3 * label + 1
    return TensorDataset(ids, label)


def train(model, loader, valid, epochs):
    stopper = EarlyStopping()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(epochs):
        model.train()
        for ids, label in loader:
            loss = nn.functional.cross_entropy(model(ids), label)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if stopper(-loss.item(), model):
            break
        print(f"epoch {epoch} loss {loss.item():.4f} features {feature_norm(model):.3f}")
    best = stopper.model.eval()
    with torch.no_grad():
        good = sum((best(ids).argmax(1) == label).sum().item() for ids, label in valid)
    return good / len(valid.dataset)


torch.manual_seed(24)
score = train(TextCNN(), DataLoader(topics(120), batch_size=20, shuffle=True), DataLoader(topics(40), batch_size=20), 3)
print("accuracy", round(score, 3))
