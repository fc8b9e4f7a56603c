import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Encoder(nn.Module):
    def __init__(self, in_dim, feat_dim):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(in_dim, 48), nn.BatchNorm1d(48), nn.ReLU(), nn.Linear(48, feat_dim))

    def forward(self, x):
        return F.normalize(self.net(x), dim=1)


class PrototypeBank(nn.Module):
    """Class prototypes that follow the features with momentum."""

    def __init__(self, num_classes, feat_dim, momentum=0.9, temperature=0.2):
        super().__init__()
        self.momentum, self.temperature = momentum, temperature
        self.num_classes = num_classes
        self.register_buffer("proto", F.normalize(torch.randn(num_classes, feat_dim), dim=1))

    def logits(self, feats):
        return feats @ self.proto.t() / self.temperature

    def update(self, feats, labels):
        rows = []
        for c in range(self.num_classes):
            mask = labels == c
            if mask.any():
                mean = feats[mask].mean(dim=0)
                rows.append(self.momentum * self.proto[c] + (1 - self.momentum) * mean)
            else:
                rows.append(self.proto[c])
        self.proto = F.normalize(torch.stack(rows), dim=1)


class Learner:
    def __init__(self, in_dim=20, feat_dim=16, num_classes=5, lr=1e-2):
        self.encoder = Encoder(in_dim, feat_dim)
        self.bank = PrototypeBank(num_classes, feat_dim)
        self.optimizer = torch.optim.SGD(self.encoder.parameters(), lr=lr, momentum=0.9, weight_decay=1e-4)
        self.scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, T_max=3)

    def train_step(self, x, y):
        feats = self.encoder(x)
        loss = F.cross_entropy(self.bank.logits(feats), y)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.bank.update(feats.detach(), y)
        return loss.item()

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            self.encoder.train()
            losses = [self.train_step(x, y) for x, y in loader]
            self.scheduler.step()
            print(f"epoch {epoch + 1}/{epochs} loss {sum(losses) / len(losses):.4f}")

    @torch.no_grad()
    def accuracy(self, x, y):
        self.encoder.eval()
        return (self.bank.logits(self.encoder(x)).argmax(dim=1) == y).float().mean().item()


def clustered_data(n, num_classes=5, dim=20):
    centers = torch.randn(num_classes, dim) * 1.5
    labels = torch.randint(0, num_classes, (n,))
    return centers[labels] + torch.randn(n, dim), labels


def main():
    torch.manual_seed(21)
    x, y = clustered_data(320)
    loader = DataLoader(TensorDataset(x[:256], y[:256]), batch_size=32, shuffle=True)
    learner = Learner()
    learner.fit(loader, epochs=3)
    print("held-out accuracy", round(learner.accuracy(x[256:], y[256:]), 3))


if __name__ == "__main__":
    main()
