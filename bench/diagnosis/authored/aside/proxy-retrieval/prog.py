import math

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset


class ProductImages(Dataset):
    def __init__(self, classes, per_class, size=10, seed=0):
        g = torch.Generator().manual_seed(seed)
        base = torch.rand(classes, 3, size, size, generator=torch.Generator().manual_seed(99))
        self.labels = torch.arange(classes).repeat_interleave(per_class)
        self.images = base[self.labels] + 0.35 * torch.randn(len(self.labels), 3, size, size, generator=g)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return {"image": self.images[i], "label": self.labels[i]}


class EmbeddingModel(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Conv2d(3, 12, 3, stride=2, padding=1), nn.BatchNorm2d(12), nn.ReLU(),
            nn.Conv2d(12, 24, 3, stride=2, padding=1), nn.BatchNorm2d(24), nn.ReLU(),
        )
        self.embedder = nn.Linear(24 * 9, dim)

    def forward(self, x):
        return self.embedder(self.trunk(x).flatten(1))


class ProxyAnchorLoss(nn.Module):
    def __init__(self, classes, dim, margin=0.1, alpha=16):
        super().__init__()
        self.proxies = nn.Parameter(torch.empty(classes, dim))
        nn.init.kaiming_normal_(self.proxies, mode="fan_out")
        self.classes, self.margin, self.alpha = classes, margin, alpha

    def forward(self, emb, labels):
        cos = F.normalize(emb, dim=1) @ F.normalize(self.proxies, dim=1).t()
        pos = F.one_hot(labels, self.classes).bool()
        p = torch.where(pos, -self.alpha * (cos - self.margin), torch.full_like(cos, -50.0))
        n = torch.where(~pos, self.alpha * (cos + self.margin), torch.full_like(cos, -50.0))
        present = pos.any(dim=0).sum()
        return F.softplus(p.logsumexp(dim=0)).sum() / present + F.softplus(n.logsumexp(dim=0)).mean()


class Engine:
    def __init__(self, model, criterion, lr=2e-3, epochs=4):
        self.model, self.criterion, self.epochs = model, criterion, epochs
        trunk, head = model.trunk.parameters(), model.embedder.parameters()
        self.optimizer = torch.optim.AdamW([
            {"params": trunk, "lr": lr},
            {"params": head, "lr": lr * 2},
        ], weight_decay=1e-4)
        self.scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, epochs)

    def train(self, loader):
        for epoch in range(self.epochs):
            self.model.train()
            meter = []
            for batch in loader:
                self.optimizer.zero_grad()
                loss = self.criterion(self.model(batch["image"]), batch["label"])
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
                self.optimizer.step()
                meter.append(loss.item())
            self.scheduler.step()
            print(f"epoch {epoch} proxy-anchor {sum(meter) / len(meter):.4f}")


@torch.no_grad()
def recall_at_1(model, dataset):
    model.eval()
    emb = F.normalize(model(dataset.images), dim=1)
    sim = emb @ emb.t()
    sim.fill_diagonal_(-math.inf)
    return (dataset.labels[sim.argmax(dim=1)] == dataset.labels).float().mean().item()


if __name__ == "__main__":
    torch.manual_seed(36)
    train_set = ProductImages(classes=8, per_class=12, seed=1)
    test_set = ProductImages(classes=8, per_class=5, seed=2)
    engine = Engine(EmbeddingModel(), ProxyAnchorLoss(classes=8, dim=16))
    engine.train(DataLoader(train_set, batch_size=24, shuffle=True))
    print("R@1", round(recall_at_1(engine.model, test_set), 3))
