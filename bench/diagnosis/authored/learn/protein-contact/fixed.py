import random

import torch
from torch import nn
from torch.nn import functional as F

ALPHABET = "ACDEFGHIKLMNPQRSTVWY"


def random_protein(length, rng):
    return "".join(rng.choice(ALPHABET) for _ in range(length))


def toy_contacts(seq):
    polar = set("DEKRHNQST")
    n = len(seq)
    m = torch.zeros(n, n)
    for i in range(n):
        for j in range(n):
            if abs(i - j) > 2 and (seq[i] in polar) == (seq[j] in polar) and (i + j) % 3 == 0:
                m[i, j] = 1.0
    return m


class RotaryScale(nn.Module):
    def __init__(self, head_dim):
        super().__init__()
        self.scale = head_dim ** -0.5
        self.gain = nn.Parameter(torch.ones(1))

    def forward(self, q, k):
        q = q * self.scale
        return q @ k.transpose(-2, -1) * self.gain


class AxialAttention(nn.Module):
    def __init__(self, dim, heads=4):
        super().__init__()
        self.heads = heads
        self.norm = nn.LayerNorm(dim)
        self.to_qkv = nn.Linear(dim, 3 * dim, bias=False)
        self.score = RotaryScale(dim // heads)
        self.to_out = nn.Linear(dim, dim)

    def forward(self, x):
        b, n, d = x.shape
        qkv = self.to_qkv(self.norm(x)).view(b, n, 3, self.heads, d // self.heads)
        q, k, v = qkv.permute(2, 0, 3, 1, 4).unbind(0)
        attn = self.score(q, k).softmax(dim=-1)
        out = (attn @ v).transpose(1, 2).reshape(b, n, d)
        return x + self.to_out(out)


class ContactPredictor(nn.Module):
    def __init__(self, dim=32, depth=2):
        super().__init__()
        self.embed = nn.Embedding(len(ALPHABET), dim)
        self.layers = nn.ModuleList(AxialAttention(dim) for _ in range(depth))
        self.left, self.right = nn.Linear(dim, 16), nn.Linear(dim, 16)

    def forward(self, tokens):
        h = self.embed(tokens)
        for layer in self.layers:
            h = layer(h)
        logits = self.left(h) @ self.right(h).transpose(1, 2)
        return 0.5 * (logits + logits.transpose(1, 2))


def collate(seqs):
    tokens = torch.tensor([[ALPHABET.index(a) for a in s] for s in seqs])
    return tokens, torch.stack([toy_contacts(s) for s in seqs])


def top_l_precision(model, tokens, target):
    with torch.no_grad():
        scores = model(tokens).flatten(1)
    top = scores.topk(tokens.size(1), dim=1).indices
    return target.flatten(1).gather(1, top).mean().item()


def main():
    rng = random.Random(3)
    torch.manual_seed(3)
    batches = [collate([random_protein(18, rng) for _ in range(6)]) for _ in range(5)]
    model = ContactPredictor()
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    pos_weight = torch.tensor(4.0)
    for epoch in range(3):
        total = 0.0
        for tokens, target in batches[:-1]:
            opt.zero_grad()
            loss = F.binary_cross_entropy_with_logits(model(tokens), target, pos_weight=pos_weight)
            loss.backward()
            opt.step()
            total += loss.item()
        print(epoch, f"{total / 4:.4f}", f"P@L {top_l_precision(model, *batches[-1]):.3f}")


main()
