import torch
from torch import nn
import torch.nn.functional as F


class TimeEmbedding(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.channels = channels
        self.lin1, self.lin2 = nn.Linear(channels, 2 * channels), nn.Linear(2 * channels, channels)

    def forward(self, t):
        freq = torch.exp(-torch.arange(self.channels // 2).float())
        arg = t.float()[:, None] * freq[None]
        return self.lin2(F.silu(self.lin1(torch.cat([arg.sin(), arg.cos()], dim=1))))


class AttentionBlock(nn.Module):
    def __init__(self, channels, heads=2, d=8):
        super().__init__()
        self.heads, self.d, self.scale = heads, d, d ** -0.5
        self.norm = nn.GroupNorm(4, channels)
        self.projection = nn.Linear(channels, heads * d * 3)
        self.output = nn.Linear(heads * d, channels)

    def forward(self, x):
        batch, channels, height, width = x.shape
        seq = self.norm(x).view(batch, channels, -1).permute(0, 2, 1)
        qkv = self.projection(seq).view(batch, -1, self.heads, 3 * self.d)
        q, k, v = torch.chunk(qkv, 3, dim=-1)
        attn = torch.einsum("bihd,bjhd->bijh", q, k) * self.scale
        attn = attn.softmax(dim=1)
        res = torch.einsum("bijh,bjhd->bihd", attn, v)
        res = self.output(res.reshape(batch, -1, self.heads * self.d))
        return x + res.permute(0, 2, 1).view(batch, channels, height, width)


class Denoiser(nn.Module):
    def __init__(self, channels=16):
        super().__init__()
        self.time = TimeEmbedding(channels)
        self.inp = nn.Conv2d(1, channels, 3, padding=1)
        self.block = AttentionBlock(channels)
        self.mid = nn.Conv2d(channels, channels, 3, padding=1)
        self.out = nn.Conv2d(channels, 1, 3, padding=1)

    def forward(self, x, t):
        h = F.silu(self.inp(x)) + self.time(t)[:, :, None, None]
        h = self.block(h)
        return self.out(F.silu(self.mid(h)))


class Diffusion:
    def __init__(self, steps=20):
        self.steps = steps
        self.alpha_bar = torch.cumprod(1 - torch.linspace(1e-3, 0.2, steps), dim=0)

    def noise(self, x0, t, eps):
        a = self.alpha_bar[t][:, None, None, None]
        return a.sqrt() * x0 + (1 - a).sqrt() * eps

    def loss(self, model, x0):
        t = torch.randint(0, self.steps, (len(x0),))
        eps = torch.randn_like(x0)
        return F.mse_loss(model(self.noise(x0, t, eps), t), eps)


def blobs(n, size=6):
    centre = torch.rand(n, 2, 1) * (size - 1)
    grid = torch.arange(size).float()
    gauss = torch.exp(-(grid - centre) ** 2 / 2)
    return (gauss[:, 0, :, None] * gauss[:, 1, None, :]).unsqueeze(1)


torch.manual_seed(1)
model, diffusion = Denoiser(), Diffusion()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
for step in range(14):
    loss = diffusion.loss(model, blobs(10))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 7 == 6:
        print("step", step, "loss", round(loss.item(), 4))
