import copy
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset, random_split


class PatchEmbed(nn.Module):
    def __init__(self, img=16, patch=4, dim=16):
        super().__init__()
        self.proj = nn.Conv2d(3, dim, kernel_size=patch, stride=patch)
        self.pos = nn.Parameter(torch.zeros(1, (img // patch) ** 2, dim))
        nn.init.normal_(self.pos, std=0.02)

    def forward(self, x):
        return self.proj(x).flatten(2).transpose(1, 2) + self.pos


class Attention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, dim * 3)
        self.proj = nn.Linear(dim, dim)
        self.attn_map = None

    def forward(self, x):
        b, n, c = x.shape
        qkv = self.qkv(x).reshape(b, n, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4)
        q, k, v = qkv[0], qkv[1], qkv[2]
        attn = F.softmax(q @ k.transpose(-2, -1) / math.sqrt(c // self.heads), dim=-1)
        self.attn_map = attn
        return self.proj((attn @ v).transpose(1, 2).reshape(b, n, c))


class LeafViT(nn.Module):
    def __init__(self, classes=3, dim=16, depth=2, heads=2):
        super().__init__()
        self.embed = PatchEmbed(dim=dim)
        self.norms = nn.ModuleList([nn.LayerNorm(dim) for _ in range(depth)])
        self.layers = nn.ModuleList([Attention(dim, heads) for _ in range(depth)])
        self.fc = nn.Linear(dim, classes)

    def forward(self, x):
        x = self.embed(x)
        for norm, layer in zip(self.norms, self.layers):
            x = x + layer(norm(x))
        return self.fc(x.mean(dim=1))

    def attention_rollout(self):
        rollout = None
        for layer in self.layers:
            a = layer.attn_map.detach().mean(dim=1)
            rollout = a if rollout is None else a @ rollout
        return rollout


class EarlyStopping:
    def __init__(self, patience=3):
        self.patience, self.best, self.bad, self.best_model = patience, float("inf"), 0, None

    def step(self, val_loss, model):
        if val_loss < self.best:
            self.best, self.bad = val_loss, 0
            self.best_model = copy.deepcopy(model)
        else:
            self.bad += 1
        return self.bad >= self.patience


def train_one_epoch(model, loader, optimizer):
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()


def validate(model, loader):
    model.eval()
    losses = [F.cross_entropy(model(x), y) for x, y in loader]
    return torch.stack(losses).mean().item()


def main():
    torch.manual_seed(2)
    images, labels = torch.rand(90, 3, 16, 16), torch.arange(90) % 3
    images[torch.arange(90), labels] += 0.3
    train, val = random_split(TensorDataset(images, labels), [72, 18])
    model, stopper = LeafViT(), EarlyStopping()
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for epoch in range(4):
        train_one_epoch(model, DataLoader(train, batch_size=18, shuffle=True), optimizer)
        val_loss = validate(model, DataLoader(val, batch_size=18))
        print(f"epoch {epoch} val {val_loss:.4f}")
        if stopper.step(val_loss, model):
            break
    print("rollout", tuple(stopper.best_model.attention_rollout().shape))


if __name__ == "__main__":
    main()
