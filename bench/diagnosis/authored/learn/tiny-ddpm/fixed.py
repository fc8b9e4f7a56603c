import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def timestep_embedding(t, dim):
    half = dim // 2
    freqs = torch.exp(-math.log(1000.0) * torch.arange(half).float() / half)
    args = t.float()[:, None] * freqs[None]
    return torch.cat([args.cos(), args.sin()], dim=1)


class ConvBlock(nn.Module):
    def __init__(self, cin, cout):
        super().__init__()
        self.conv = nn.Conv2d(cin, cout, 3, padding=1)
        self.norm = nn.GroupNorm(4, cout)

    def forward(self, x):
        return F.silu(self.norm(self.conv(x)))


class Down(nn.Module):
    def __init__(self, cin, cout, tdim):
        super().__init__()
        self.block = ConvBlock(cin, cout)
        self.emb = nn.Linear(tdim, cout)

    def forward(self, x, temb):
        h = self.block(x)
        skip = h
        h = h + self.emb(temb)[:, :, None, None]
        return F.avg_pool2d(h, 2), skip


class Up(nn.Module):
    def __init__(self, cin, cskip, cout):
        super().__init__()
        self.block = ConvBlock(cin + cskip, cout)

    def forward(self, x, skip):
        x = F.interpolate(x, scale_factor=2, mode="nearest")
        return self.block(torch.cat([x, skip], dim=1))


class TinyUNet(nn.Module):
    def __init__(self, ch=8, tdim=16):
        super().__init__()
        self.tdim = tdim
        self.time = nn.Sequential(nn.Linear(tdim, tdim), nn.SiLU(), nn.Linear(tdim, tdim))
        self.downs = nn.ModuleList([Down(1, ch, tdim), Down(ch, 2 * ch, tdim)])
        self.mid = ConvBlock(2 * ch, 2 * ch)
        self.ups = nn.ModuleList([Up(2 * ch, 2 * ch, ch), Up(ch, ch, ch)])
        self.out = nn.Conv2d(ch, 1, 1)

    def forward(self, x, t):
        temb = self.time(timestep_embedding(t, self.tdim))
        skips = []
        for down in self.downs:
            x, skip = down(x, temb)
            skips.append(skip)
        x = self.mid(x)
        for up in self.ups:
            x = up(x, skips.pop())
        return self.out(x)


class Diffusion:
    def __init__(self, steps=50):
        betas = torch.linspace(1e-4, 0.05, steps)
        self.steps = steps
        self.alpha_bar = torch.cumprod(1.0 - betas, dim=0)

    def loss(self, model, x0):
        t = torch.randint(0, self.steps, (x0.size(0),))
        noise = torch.randn_like(x0)
        a = self.alpha_bar[t].view(-1, 1, 1, 1)
        xt = a.sqrt() * x0 + (1 - a).sqrt() * noise
        return F.mse_loss(model(xt, t), noise)


def blobs(n, size=8):
    yy, xx = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
    c = torch.rand(n, 2) * size
    d = (yy[None] - c[:, 0, None, None]) ** 2 + (xx[None] - c[:, 1, None, None]) ** 2
    return torch.exp(-d / 6.0).unsqueeze(1) * 2 - 1


if __name__ == "__main__":
    torch.manual_seed(0)
    data, diffusion, model = blobs(64), Diffusion(), TinyUNet()
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    for step in range(15):
        batch = data[torch.randperm(64)[:16]]
        optimizer.zero_grad()
        loss = diffusion.loss(model, batch)
        loss.backward()
        optimizer.step()
        if step % 5 == 0:
            print(step, round(loss.item(), 5))
