import copy

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset


class TwoViews(Dataset):
    def __init__(self, n=128, dim=16, classes=4, seed=0):
        g = torch.Generator().manual_seed(seed)
        centers = 1.5 * torch.randn(classes, dim, generator=g)
        self.labels = torch.arange(n) % classes
        self.x = centers[self.labels] + 0.7 * torch.randn(n, dim, generator=g)

    def augment(self, x):
        keep = (torch.rand_like(x) > 0.2).float()
        return x * keep + 0.2 * torch.randn_like(x)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.augment(self.x[i]), self.augment(self.x[i])


def make_encoder(dim=16, out=12):
    return nn.Sequential(nn.Linear(dim, 48), nn.BatchNorm1d(48), nn.ReLU(inplace=True), nn.Linear(48, out))


class MoCo(nn.Module):
    def __init__(self, out=12, size=64, momentum=0.95, temperature=0.2):
        super().__init__()
        self.encoder_q = make_encoder(out=out)
        self.encoder_k = copy.deepcopy(self.encoder_q)
        for p in self.encoder_k.parameters():
            p.requires_grad = False
        self.m, self.t, self.size = momentum, temperature, size
        self.register_buffer("queue", F.normalize(torch.randn(out, size), dim=0))
        self.register_buffer("ptr", torch.zeros(1, dtype=torch.long))

    @torch.no_grad()
    def momentum_update(self):
        for q, k in zip(self.encoder_q.parameters(), self.encoder_k.parameters()):
            k.data = k.data * self.m + q.data * (1.0 - self.m)

    @torch.no_grad()
    def enqueue(self, keys):
        ptr, n = int(self.ptr), keys.size(0)
        index = (ptr + torch.arange(n)) % self.size
        self.queue[:, index] = keys.t()
        self.ptr[0] = (ptr + n) % self.size

    def forward(self, view_q, view_k):
        q = F.normalize(self.encoder_q(view_q), dim=1)
        with torch.no_grad():
            self.momentum_update()
            perm = torch.randperm(len(view_k))
            k = self.encoder_k(view_k[perm])[perm.argsort()]
            k = F.normalize(k, dim=1)
        positive = (q * k).sum(dim=1, keepdim=True)
        negative = q @ self.queue.clone().detach()
        logits = torch.cat([positive, negative], dim=1)
        logits /= self.t
        self.enqueue(k)
        return logits, torch.zeros(len(q), dtype=torch.long)


@torch.no_grad()
def knn_accuracy(model, data, k=5):
    model.eval()
    feats = F.normalize(model.encoder_q(data.x), dim=1)
    sim = feats @ feats.t()
    sim.fill_diagonal_(-2.0)
    votes = data.labels[sim.topk(k, dim=1).indices]
    return (votes.mode(dim=1).values == data.labels).float().mean().item()


def train(model, data, epochs):
    loader = DataLoader(data, batch_size=32, shuffle=True, drop_last=True)
    optimizer = torch.optim.SGD(model.encoder_q.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs)
    for epoch in range(epochs):
        model.train()
        meter = 0.0
        for a, b in loader:
            logits, labels = model(a, b)
            loss = F.cross_entropy(logits, labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            meter += loss.item()
        scheduler.step()
        print(f"epoch {epoch} info-nce {meter / len(loader):.4f} knn {knn_accuracy(model, data):.3f}")


torch.manual_seed(59)
train(MoCo(), TwoViews(), epochs=4)
