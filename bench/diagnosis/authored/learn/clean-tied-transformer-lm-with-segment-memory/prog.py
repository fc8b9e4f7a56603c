import math
import random

import torch
from torch import nn
from torch.nn import functional as F
from torch.optim.lr_scheduler import LambdaLR


class RecurrentAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.q, self.kv, self.out = nn.Linear(dim, dim), nn.Linear(dim, 2 * dim), nn.Linear(dim, dim)

    def split(self, x):
        b, t, d = x.shape
        return x.view(b, t, self.heads, d // self.heads).transpose(1, 2)

    def forward(self, x, memory):
        context = x if memory is None else torch.cat([memory, x], dim=1)
        k, v = self.kv(context).chunk(2, dim=-1)
        q, k, v = self.split(self.q(x)), self.split(k), self.split(v)
        scores = q @ k.transpose(-1, -2) / math.sqrt(q.size(-1))
        t, s = x.size(1), context.size(1)
        mask = torch.ones(t, s, dtype=torch.bool).triu(diagonal=1 + s - t)
        scores.masked_fill_(mask, -1e9)
        mixed = scores.softmax(dim=-1) @ v
        return self.out(mixed.transpose(1, 2).reshape(x.shape))


class Layer(nn.Module):
    def __init__(self, dim, heads=2, p=0.1):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.attn = RecurrentAttention(dim, heads)
        self.mlp = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim), nn.Dropout(p))

    def forward(self, x, memory):
        memory = None if memory is None else self.ln1(memory)
        x = x + self.attn(self.ln1(x), memory)
        return x + self.mlp(self.ln2(x))


class SegmentLM(nn.Module):
    def __init__(self, vocab, dim=24, depth=2, segment=8):
        super().__init__()
        self.tok = nn.Embedding(vocab, dim)
        self.pos = nn.Parameter(torch.zeros(segment, dim))
        self.layers = nn.ModuleList(Layer(dim) for _ in range(depth))
        self.ln = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, vocab, bias=False)
        nn.init.normal_(self.tok.weight, std=0.05)
        self.head.weight = self.tok.weight

    def forward(self, ids, memories=None):
        memories = memories or [None] * len(self.layers)
        x, kept = self.tok(ids) + self.pos[:ids.size(1)], []
        for layer, memory in zip(self.layers, memories):
            kept.append(x.detach())
            x = layer(x, memory)
        return self.head(self.ln(x)), kept


def melody(n, seed=0):
    rng, note, out = random.Random(seed), 5, []
    for i in range(n):
        note = (note + (2 if i % 4 < 2 else -1) + (rng.random() < 0.1)) % 12
        out.append(note)
    return torch.tensor(out)


def warmup_cosine(warmup, total):
    def rate(step):
        if step < warmup:
            return step / warmup
        return 0.5 * (1 + math.cos(math.pi * (step - warmup) / (total - warmup)))
    return rate


torch.manual_seed(70)
model, segment = SegmentLM(12), 8
stream = melody(4 * 81).view(4, 81)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
scheduler = LambdaLR(optimizer, warmup_cosine(5, 40))
for epoch in range(4):
    model.train()
    memory, total = None, 0.0
    for start in range(0, 80, segment):
        x, y = stream[:, start:start + segment], stream[:, start + 1:start + 1 + segment]
        logits, memory = model(x, memory)
        loss = F.cross_entropy(logits.flatten(0, 1), y.flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        total += loss.item() / 10
    print("epoch %d loss %.4f perplexity %.2f" % (epoch, total, math.exp(total)))
