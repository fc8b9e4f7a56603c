import math

import torch
from torch import nn, optim
from torch.nn import functional as F


class PatchEmbed(nn.Module):
    def __init__(self, size=12, patch=4, dim=24):
        super().__init__()
        self.proj = nn.Conv2d(1, dim, patch, stride=patch)
        self.pos = nn.Parameter(0.02 * torch.randn(1, (size // patch) ** 2, dim))

    def forward(self, x):
        return self.proj(x).flatten(2).transpose(1, 2) + self.pos


class Block(nn.Module):
    def __init__(self, dim, heads=4):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.attn = nn.MultiheadAttention(dim, heads, batch_first=True)
        self.mlp = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x):
        h = self.norm1(x)
        x = x + self.attn(h, h, h, need_weights=False)[0]
        return x + self.mlp(self.norm2(x))


class CosineHead(nn.Module):
    def __init__(self, dim, classes):
        super().__init__()
        self.fc = nn.Linear(dim, classes)

    def forward(self, x):
        return F.linear(F.normalize(x, dim=-1), F.normalize(self.fc.weight, dim=-1), self.fc.bias)


class LogitScale(nn.Module):
    def __init__(self, temperature=0.1):
        super().__init__()
        self.log_value = nn.Parameter(torch.tensor(-math.log(temperature)))

    def forward(self, logits):
        return logits * self.log_value.exp()


class ViT(nn.Module):
    def __init__(self, classes, dim=24, depth=2):
        super().__init__()
        self.embed = PatchEmbed(dim=dim)
        self.blocks = nn.Sequential(*[Block(dim) for _ in range(depth)])
        self.norm = nn.LayerNorm(dim)
        self.head = CosineHead(dim, classes)
        self.scale = LogitScale()

    def forward(self, x):
        x = self.norm(self.blocks(self.embed(x))).mean(dim=1)
        return self.scale(self.head(x))

    def reset_head(self, classes):
        self.head = CosineHead(self.norm.normalized_shape[0], classes)


def stripes(n, classes):
    y = torch.randint(classes, (n,))
    grid = torch.arange(12).float()
    angle = y.float() * math.pi / classes
    phase = grid[None, None, :] * angle.cos()[:, None, None] + grid[None, :, None] * angle.sin()[:, None, None]
    return torch.sin(1.5 * phase).unsqueeze(1) + 0.3 * torch.randn(n, 1, 12, 12), y


def freeze_all_but_last(model):
    for p in list(model.parameters())[:-2]:
        p.requires_grad = False


def run_phase(model, data, lr, epochs, title):
    x, y = data
    params = [p for p in model.parameters() if p.requires_grad] if title == "pretrain" else model.parameters()
    optimizer = optim.AdamW(params, lr=lr, weight_decay=0.0)
    for epoch in range(epochs):
        for idx in torch.randperm(len(x)).split(32):
            loss = F.cross_entropy(model(x[idx]), y[idx])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            acc = (model(x).argmax(1) == y).float().mean().item()
        print(title, epoch, "loss %.3f acc %.3f" % (loss.item(), acc))


torch.manual_seed(21)
model = ViT(classes=6)
run_phase(model, stripes(192, 6), 3e-3, 3, "pretrain")
model.reset_head(3)
freeze_all_but_last(model)
run_phase(model, stripes(96, 3), 1e-2, 4, "probe")
