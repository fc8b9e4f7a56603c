import copy

import torch
from torch import nn
from torch.nn import functional as F


class GestureEncoder(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.gru = nn.GRU(3, 24, batch_first=True)
        self.mlp = nn.Sequential(nn.Linear(24, 24), nn.ReLU(), nn.Linear(24, dim))

    def forward(self, x):
        _, h = self.gru(x)
        return F.normalize(self.mlp(h[-1]), dim=1)


class MoCo(nn.Module):
    def __init__(self, base, dim=16, size=64, momentum=0.9, temperature=0.2):
        super().__init__()
        self.size, self.momentum, self.temperature = size, momentum, temperature
        self.encoder_q = base
        self.encoder_k = copy.deepcopy(base)
        for p in self.encoder_k.parameters():
            p.requires_grad = False
        self.register_buffer("queue", F.normalize(torch.randn(dim, size), dim=0))
        self.register_buffer("ptr", torch.zeros(1, dtype=torch.long))

    @torch.no_grad()
    def _momentum_update(self):
        for q, k in zip(self.encoder_q.parameters(), self.encoder_k.parameters()):
            k.data = k.data * self.momentum + q.data * (1.0 - self.momentum)

    @torch.no_grad()
    def _enqueue(self, keys):
        start = int(self.ptr)
        self.queue[:, start:start + len(keys)] = keys.t()
        self.ptr[0] = (start + len(keys)) % self.size

    def forward(self, x_q, x_k):
        q = self.encoder_q(x_q)
        with torch.no_grad():
            self._momentum_update()
            k = self.encoder_k(x_k)
        positive = torch.einsum("nc,nc->n", q, k).unsqueeze(1)
        negative = q @ self.queue.clone().detach()
        logits = torch.cat([positive, negative], dim=1) / self.temperature
        labels = torch.zeros(len(logits), dtype=torch.long)
        self._enqueue(k)
        return logits, labels


def gestures(n, classes=4, steps=15):
    y = torch.randint(classes, (n,))
    t = torch.linspace(0, 6.28, steps)
    shapes = torch.stack([
        torch.stack([t.sin(), t.cos(), 0 * t], 1), torch.stack([t / 6, 0 * t, t.sin()], 1),
        torch.stack([(2 * t).sin(), t.cos(), t.sin()], 1), torch.stack([0 * t, (3 * t).cos(), t / 6], 1)])
    return shapes[y] + 0.2 * torch.randn(n, steps, 3), y


def jitter(x):
    scale = 0.8 + 0.4 * torch.rand(len(x), 1, 1)
    return x * scale + 0.1 * torch.randn_like(x)


def linear_probe(encoder, data, steps=40):
    x, y = data
    with torch.no_grad():
        features = encoder(x)
    probe = nn.Linear(features.size(1), 4)
    optimizer = torch.optim.Adam(probe.parameters(), lr=0.05)
    for _ in range(steps):
        loss = F.cross_entropy(probe(features), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return (probe(features).argmax(1) == y).float().mean().item()


torch.manual_seed(30)
x, y = gestures(192)
model = MoCo(GestureEncoder())
optimizer = torch.optim.SGD(model.encoder_q.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
for epoch in range(5):
    running, hits = 0.0, 0
    for idx in torch.randperm(len(x)).split(32):
        logits, labels = model(jitter(x[idx]), jitter(x[idx]))
        loss = F.cross_entropy(logits, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        running += loss.detach() * len(idx)
        hits += (logits.argmax(1) == 0).sum().item()
    print("epoch %d loss %.4f instance accuracy %.3f" % (epoch, running / len(x), hits / len(x)))
print("probe accuracy %.3f" % linear_probe(model.encoder_q, (x, y)))
