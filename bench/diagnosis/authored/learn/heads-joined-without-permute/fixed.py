from math import sqrt

import torch
from torch import nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, hidden_dim, num_heads):
        super().__init__()
        assert hidden_dim % num_heads == 0
        self.qkv_dim, self.num_heads = hidden_dim // num_heads, num_heads
        self.qkv_proj = nn.Linear(hidden_dim, 3 * hidden_dim, bias=False)
        self.o_proj = nn.Linear(hidden_dim, hidden_dim, bias=False)

    def scaled_dot_product(self, q, k, v, mask):
        logits = torch.matmul(q, k.transpose(-2, -1)) / sqrt(self.qkv_dim)
        logits = logits.masked_fill(~mask[:, None, None, :], float("-inf"))
        return torch.matmul(F.softmax(logits, dim=-1), v)

    def forward(self, x, mask):
        batch, length, hidden = x.size()
        qkv = self.qkv_proj(x).reshape(batch, length, self.num_heads, 3 * self.qkv_dim)
        q, k, v = qkv.permute(0, 2, 1, 3).chunk(3, dim=-1)
        values = self.scaled_dot_product(q, k, v, mask)
        values = values.permute(0, 2, 1, 3).reshape(batch, length, hidden)
        return self.o_proj(values)


class EncoderBlock(nn.Module):
    def __init__(self, hidden_dim, num_heads, dropout=0.1):
        super().__init__()
        self.mha = MultiHeadAttention(hidden_dim, num_heads)
        self.ff = nn.Sequential(nn.Linear(hidden_dim, 4 * hidden_dim), nn.ReLU(), nn.Linear(4 * hidden_dim, hidden_dim))
        self.norm1, self.norm2 = nn.LayerNorm(hidden_dim), nn.LayerNorm(hidden_dim)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask):
        x = self.norm1(x + self.drop(self.mha(x, mask)))
        return self.norm2(x + self.drop(self.ff(x)))


class Tagger(nn.Module):
    def __init__(self, vocab=20, tags=5, hidden_dim=16, heads=4, length=9):
        super().__init__()
        self.embed, self.pos = nn.Embedding(vocab, hidden_dim, padding_idx=0), nn.Embedding(length, hidden_dim)
        self.blocks = nn.ModuleList([EncoderBlock(hidden_dim, heads) for _ in range(2)])
        self.out = nn.Linear(hidden_dim, tags)

    def forward(self, ids):
        mask = ids != 0
        h = self.embed(ids) + self.pos(torch.arange(ids.shape[1]))
        for block in self.blocks:
            h = block(h, mask)
        return self.out(h)


def sentences(n, vocab=20, length=9, tags=5):
    ids = torch.randint(1, vocab, (n, length))
    lengths = torch.randint(4, length + 1, (n, 1))
    ids = ids.masked_fill(torch.arange(length) >= lengths, 0)
    shifted = F.pad(ids, (1, 0))[:, :-1]
    tag = ((ids + shifted) % tags).masked_fill(ids == 0, -100)
    return ids, tag


torch.manual_seed(31)
model = Tagger()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
criterion = nn.CrossEntropyLoss(ignore_index=-100)
model.train()
for step in range(16):
    ids, tag = sentences(14)
    loss = criterion(model(ids).transpose(1, 2), tag)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 8 == 7:
        print("step", step, "loss", round(loss.item(), 4))
