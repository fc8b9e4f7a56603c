import math

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class HourlyLoad(Dataset):
    def __init__(self, n=192, length=24, horizon=4):
        t = torch.arange(length + horizon).float()
        phase = 6.28 * torch.rand(n, 1)
        wave = torch.sin(t * 0.52 + phase) + 0.4 * torch.sin(t * 0.13 + 2 * phase)
        series = wave + 0.05 * torch.randn(n, length + horizon)
        self.past, self.future = series[:, :length], series[:, length:]

    def __len__(self):
        return len(self.past)

    def __getitem__(self, i):
        return self.past[i].unsqueeze(-1), self.future[i]


class AttentionLayer(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width)
        self.value = nn.Linear(width, width)
        self.out = nn.Linear(width, width)

    def split(self, x):
        b, length, width = x.shape
        return x.view(b, length, self.heads, width // self.heads).transpose(1, 2)

    def forward(self, x):
        b, length, width = x.shape
        q, k, v = self.split(self.query(x)), self.split(self.key(x)), self.split(self.value(x))
        score = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        mixed = torch.softmax(score, dim=-1) @ v
        return self.out(mixed.transpose(1, 2).reshape(b, length, width))


class EncoderLayer(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.attention = AttentionLayer(width, heads)
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.ff = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.ff(self.norm2(x))


class Forecaster(nn.Module):
    def __init__(self, width=16, heads=4, depth=2, horizon=4, length=24):
        super().__init__()
        self.embed = nn.Linear(1, width)
        self.position = nn.Parameter(0.1 * torch.randn(1, length, width))
        self.layers = nn.ModuleList(EncoderLayer(width, heads) for _ in range(depth))
        self.head = nn.Linear(width, horizon)

    def forward(self, x):
        h = self.embed(x) + self.position
        for layer in self.layers:
            h = layer(h)
        return self.head(h.mean(dim=1))


if __name__ == "__main__":
    torch.manual_seed(11)
    loader = DataLoader(HourlyLoad(), batch_size=32, shuffle=True)
    model = Forecaster()
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    for epoch in range(3):
        total = 0.0
        for past, future in loader:
            loss = nn.functional.mse_loss(model(past), future)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(f"epoch {epoch}: {total / len(loader):.4f}")
