"""A causal transformer with tied embeddings, learning rate warm-up and gradient accumulation."""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(66)

CONFIG = {"vocabulary": 8, "context": 6, "width": 12, "heads": 3, "layers": 2, "accumulate": 2}


class CausalAttention(nn.Module):
    def __init__(self, width, heads, context):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.proj = nn.Linear(width, width)
        self.register_buffer("mask", torch.tril(torch.ones(context, context)) == 0)

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=2)
        q = q.view(b, t, self.heads, c // self.heads).transpose(1, 2)
        k = k.view(b, t, self.heads, c // self.heads).transpose(1, 2)
        v = v.view(b, t, self.heads, c // self.heads).transpose(1, 2)
        scores = (q @ k.transpose(2, 3)) / math.sqrt(c // self.heads)
        scores = scores.masked_fill(self.mask[:t, :t], float("-inf"))
        y = F.softmax(scores, dim=-1) @ v
        return self.proj(y.transpose(1, 2).reshape(b, t, c))


class Layer(nn.Module):
    def __init__(self, width, heads, context):
        super().__init__()
        self.ln1 = nn.LayerNorm(width)
        self.attention = CausalAttention(width, heads, context)
        self.ln2 = nn.LayerNorm(width)
        self.fc = nn.Linear(width, 2 * width)
        self.out = nn.Linear(2 * width, width)

    def forward(self, x):
        x = x + self.attention(self.ln1(x))
        h = F.gelu(self.fc(self.ln2(x)))
        return x + F.dropout(self.out(h), p=0.1, training=self.training)


class GPT(nn.Module):
    def __init__(self, vocabulary, context, width, heads, layers):
        super().__init__()
        self.token = nn.Embedding(vocabulary, width)
        self.position = nn.Embedding(context, width)
        self.layers = nn.ModuleList([Layer(width, heads, context) for _ in range(layers)])
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, vocabulary, bias=False)
        self.head.weight = self.token.weight

    def forward(self, tokens):
        x = self.token(tokens) + self.position(torch.arange(tokens.shape[1]))
        for layer in self.layers:
            x = layer(x)
        return self.head(self.norm(x))


def get_batch(n):
    start = torch.randint(CONFIG["vocabulary"], (n, 1))
    sequence = (start + torch.arange(CONFIG["context"] + 1)) % CONFIG["vocabulary"]
    return sequence[:, :-1], sequence[:, 1:]


model = GPT(CONFIG["vocabulary"], CONFIG["context"], CONFIG["width"], CONFIG["heads"], CONFIG["layers"])
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1.0, (step + 1) / 3))
for step in range(6):
    model.train()
    optimizer.zero_grad()
    total = 0.0
    for _ in range(CONFIG["accumulate"]):
        inputs, targets = get_batch(4)
        logits = model(inputs)
        loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten()) / CONFIG["accumulate"]
        loss.backward()
        total += loss.item()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    scheduler.step()
    print(step, round(total, 4))
model.eval()
with torch.no_grad():
    inputs, targets = get_batch(8)
    print("accuracy", (model(inputs).argmax(dim=2) == targets).float().mean().item())
