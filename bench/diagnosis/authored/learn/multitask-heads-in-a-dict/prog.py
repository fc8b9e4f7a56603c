from collections import OrderedDict, namedtuple

import torch
import torch.nn as nn
import torch.nn.functional as F

Task = namedtuple("Task", "name out_dim kind weight")
TASKS = [
    Task("toxicity", 1, "binary", 1.0),
    Task("solubility", 1, "regression", 0.5),
    Task("family", 4, "multiclass", 1.0),
]


class MoleculeBatch:
    def __init__(self, n, atoms=7, feats=6):
        self.x = torch.randn(n, atoms, feats)
        bonds = (torch.rand(n, atoms, atoms) < 0.3).float()
        self.adj = ((bonds + bonds.transpose(1, 2)) > 0).float()
        pooled = self.x.mean(1)
        self.y = {
            "toxicity": (pooled[:, 0] + pooled[:, 1] > 0).float(),
            "solubility": pooled[:, 2] * 2 + pooled[:, 3],
            "family": (pooled[:, :4]).argmax(1),
        }

    def select(self, idx):
        part = object.__new__(MoleculeBatch)
        part.x, part.adj = self.x[idx], self.adj[idx]
        part.y = {k: v[idx] for k, v in self.y.items()}
        return part


class MPNNLayer(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.message = nn.Linear(dim, dim)
        self.update = nn.GRUCell(dim, dim)

    def forward(self, h, adj):
        degree = adj.sum(-1, keepdim=True).clamp(min=1)
        m = adj @ F.relu(self.message(h)) / degree
        n, a, d = h.shape
        return self.update(m.reshape(n * a, d), h.reshape(n * a, d)).view(n, a, d)


class MultiTaskNet(nn.Module):
    def __init__(self, tasks, feats=6, dim=24, layers=2):
        super().__init__()
        self.embed = nn.Linear(feats, dim)
        self.layers = nn.ModuleList(MPNNLayer(dim) for _ in range(layers))
        self.heads = OrderedDict()
        for task in tasks:
            self.heads[task.name] = nn.Sequential(nn.Linear(dim, 16), nn.ReLU(), nn.Linear(16, task.out_dim))

    def forward(self, batch):
        h = self.embed(batch.x)
        for layer in self.layers:
            h = layer(h, batch.adj)
        readout = h.mean(dim=1)
        return {name: head(readout) for name, head in self.heads.items()}


def task_loss(task, out, y):
    if task.kind == "binary":
        return F.binary_cross_entropy_with_logits(out.squeeze(1), y)
    if task.kind == "regression":
        return F.huber_loss(out.squeeze(1), y)
    return F.cross_entropy(out, y)


class MultiTaskTrainer:
    def __init__(self, model, tasks, lr=1e-2):
        self.model, self.tasks = model, tasks
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)

    def step(self, batch):
        out = self.model(batch)
        losses = {t.name: task_loss(t, out[t.name], batch.y[t.name]) for t in self.tasks}
        total = sum(t.weight * losses[t.name] for t in self.tasks)
        self.optimizer.zero_grad()
        total.backward()
        self.optimizer.step()
        return {k: v.item() for k, v in losses.items()}


torch.manual_seed(0)
data = MoleculeBatch(96)
model = MultiTaskNet(TASKS)
trainer = MultiTaskTrainer(model, TASKS)
for epoch in range(5):
    sums = {}
    for idx in torch.randperm(96).split(24):
        for k, v in trainer.step(data.select(idx)).items():
            sums[k] = sums.get(k, 0.0) + v / 4
    print("epoch", epoch, {k: round(v, 4) for k, v in sums.items()})
