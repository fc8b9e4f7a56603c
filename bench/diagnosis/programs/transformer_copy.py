"""A one-block transformer, by hand, that learns to reverse short sequences."""

import math

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(5)


class SelfAttention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width)
        self.value = nn.Linear(width, width)
        self.project = nn.Linear(width, width)

    def split(self, x):
        batch, length, width = x.shape
        return x.view(batch, length, self.heads, width // self.heads).transpose(1, 2)

    def forward(self, x):
        q, k, v = self.split(self.query(x)), self.split(self.key(x)), self.split(self.value(x))
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        weights = F.softmax(scores, dim=-1)
        mixed = (weights @ v).transpose(1, 2)
        return self.project(mixed.reshape(x.shape))


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.norm1 = nn.LayerNorm(width)
        self.attention = SelfAttention(width, heads)
        self.norm2 = nn.LayerNorm(width)
        self.mlp = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        x = x + self.mlp(self.norm2(x))
        return x


class Reverser(nn.Module):
    def __init__(self, symbols, length, width):
        super().__init__()
        self.tokens = nn.Embedding(symbols, width)
        self.positions = nn.Parameter(0.02 * torch.randn(length, width))
        self.block = Block(width, heads=2)
        self.head = nn.Linear(width, symbols)

    def forward(self, tokens):
        x = self.tokens(tokens) + self.positions
        return self.head(self.block(x))


def get_batch(size, symbols, length):
    tokens = torch.randint(symbols, (size, length))
    return tokens, tokens.flip(1)


model = Reverser(symbols=6, length=5, width=12)
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
warmup = 4
scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1.0, (step + 1) / warmup))
for step in range(8):
    tokens, target = get_batch(8, 6, 5)
    logits = model(tokens)
    loss = F.cross_entropy(logits.permute(0, 2, 1), target)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
    scheduler.step()
    if step % 4 == 3:
        print(step, round(loss.item(), 3), scheduler.get_last_lr())
