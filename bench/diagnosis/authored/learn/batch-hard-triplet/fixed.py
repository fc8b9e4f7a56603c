import random

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, Sampler


class ReIDDataset(Dataset):
    def __init__(self, people=12, shots=6, dim=24):
        centers = torch.randn(people, dim)
        self.pids = torch.arange(people).repeat_interleave(shots)
        self.x = centers[self.pids] + 0.8 * torch.randn(people * shots, dim)

    def __len__(self):
        return len(self.pids)

    def __getitem__(self, i):
        return self.x[i], self.pids[i]


class PKSampler(Sampler):
    """P identities with K shots in each batch."""

    def __init__(self, pids, p, k, batches):
        self.p, self.k, self.batches = p, k, batches
        self.groups = {}
        for i, pid in enumerate(pids.tolist()):
            self.groups.setdefault(pid, []).append(i)

    def __len__(self):
        return self.batches

    def __iter__(self):
        for _ in range(self.batches):
            ids = random.sample(sorted(self.groups), self.p)
            yield [i for pid in ids for i in random.sample(self.groups[pid], self.k)]


def pairwise_distances(emb):
    dot = emb @ emb.t()
    sq = dot.diag()
    dist = sq.unsqueeze(0) - 2 * dot + sq.unsqueeze(1)
    return (dist.clamp(min=0) + 1e-8).sqrt()


class BatchAllTriplet(nn.Module):
    def __init__(self, margin=0.5):
        super().__init__()
        self.margin = margin

    def forward(self, emb, pids):
        dist = pairwise_distances(emb)
        same = pids.unsqueeze(0) == pids.unsqueeze(1)
        eye = torch.eye(len(pids), dtype=torch.bool)
        pos, neg = (same & ~eye).float(), (~same).float()
        mean_pos = (dist * pos).sum(1) / pos.sum(1)
        mean_neg = (dist * neg).sum(1) / neg.sum(1)
        return nn.functional.softplus(mean_pos - mean_neg + self.margin).mean()


class EmbeddingNet(nn.Module):
    def __init__(self, dim=24, emb=8):
        super().__init__()
        self.fc1, self.bn, self.fc2 = nn.Linear(dim, 32), nn.BatchNorm1d(32), nn.Linear(32, emb)

    def forward(self, x):
        return self.fc2(torch.relu(self.bn(self.fc1(x))))


def rank1(net, data):
    net.eval()
    with torch.no_grad():
        emb = net(data.x)
        dist = torch.cdist(emb, emb)
        dist.fill_diagonal_(float("inf"))
        hit = data.pids[dist.argmin(dim=1)] == data.pids
    net.train()
    return hit.float().mean().item()


random.seed(22)
torch.manual_seed(22)
dataset = ReIDDataset()
loader = DataLoader(dataset, batch_sampler=PKSampler(dataset.pids, p=4, k=4, batches=8))
net, criterion = EmbeddingNet(), BatchAllTriplet()
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
print("rank-1 before", round(rank1(net, dataset), 3))
for epoch in range(3):
    for x, pids in loader:
        optimizer.zero_grad()
        loss = criterion(net(x), pids)
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch} triplet {loss.item():.4f} rank-1 {rank1(net, dataset):.3f}")
