import math
import random
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


@dataclass
class Config:
    vocab_size: int = 60
    hidden: int = 24
    heads: int = 3
    layers: int = 2
    max_len: int = 12
    drop_head: float = 0.2
    lr: float = 2e-3
    epochs: int = 2


class ReviewDataset(Dataset):
    def __init__(self, n, cfg):
        rng = random.Random(n)
        self.rows = []
        for _ in range(n):
            label = rng.randint(0, 1)
            lo, hi = (1, cfg.vocab_size // 2) if label else (cfg.vocab_size // 3, cfg.vocab_size - 1)
            self.rows.append(([rng.randint(lo, hi) for _ in range(cfg.max_len)], label))

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        tokens, label = self.rows[i]
        return torch.tensor(tokens), torch.tensor(label)


def prune_heads(attn, p, training):
    if not training or p == 0.0:
        return attn
    keep = (torch.rand(attn.size(0), attn.size(1), 1, 1) > p).float()
    attn.mul_(keep).div_(1.0 - p)
    return attn


class SelfAttention(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.h, self.d = cfg.heads, cfg.hidden // cfg.heads
        self.drop_head = cfg.drop_head
        self.qkv = nn.Linear(cfg.hidden, 3 * cfg.hidden)
        self.out = nn.Linear(cfg.hidden, cfg.hidden)

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = (y.view(b, t, self.h, self.d).transpose(1, 2) for y in self.qkv(x).split(c, dim=2))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d)
        attn = F.softmax(scores, dim=-1)
        attn = prune_heads(attn, self.drop_head, self.training)
        y = (attn @ v).transpose(1, 2).reshape(b, t, c)
        return self.out(y)


class Block(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(cfg.hidden), nn.LayerNorm(cfg.hidden)
        self.attn = SelfAttention(cfg)
        self.mlp = nn.Sequential(nn.Linear(cfg.hidden, 48), nn.GELU(), nn.Linear(48, cfg.hidden))

    def forward(self, x):
        x = x + self.attn(self.ln1(x))
        return x + self.mlp(self.ln2(x))


class Classifier(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.tok = nn.Embedding(cfg.vocab_size, cfg.hidden)
        self.pos = nn.Parameter(torch.randn(1, cfg.max_len, cfg.hidden) * 0.02)
        self.blocks = nn.Sequential(*[Block(cfg) for _ in range(cfg.layers)])
        self.fc = nn.Linear(cfg.hidden, 2)

    def forward(self, ids):
        return self.fc(self.blocks(self.tok(ids) + self.pos).mean(dim=1))


def main():
    torch.manual_seed(1)
    cfg = Config()
    loader = DataLoader(ReviewDataset(96, cfg), batch_size=16, shuffle=True)
    model = Classifier(cfg)
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg.lr)
    for epoch in range(cfg.epochs):
        total = 0.0
        for ids, labels in loader:
            optimizer.zero_grad()
            loss = F.cross_entropy(model(ids), labels)
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(f"epoch {epoch} loss {total / len(loader):.4f}")


if __name__ == "__main__":
    main()
