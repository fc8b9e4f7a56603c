import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

SAMPLE_RATE = 800


class ToneDataset(Dataset):
    """Short clips with one of four pitch contours."""

    def __init__(self, size, seed):
        self.size = size
        self.generator = torch.Generator().manual_seed(seed)
        self.items = [self._render(i % 4) for i in range(size)]

    def _render(self, label):
        t = torch.arange(256).float() / SAMPLE_RATE
        base = 60 + 20 * torch.rand(1, generator=self.generator)
        slope = {0: 0.0, 1: 120.0, 2: -120.0, 3: 240.0}[label]
        wave = torch.sin(2 * math.pi * (base * t + 0.5 * slope * t * t))
        return wave + 0.1 * torch.randn(256, generator=self.generator), label

    def __len__(self):
        return self.size

    def __getitem__(self, i):
        return self.items[i]


def frame_energy(wave, frame=32, hop=16):
    frames = wave.unfold(1, frame, hop)
    spec = torch.fft.rfft(frames * torch.hann_window(frame)).abs()
    return torch.log1p(spec)


class FeedForward(nn.Sequential):
    def __init__(self, dim, mult=2, p=0.1):
        super().__init__(nn.Linear(dim, dim * mult), nn.GELU(), nn.Dropout(p), nn.Linear(dim * mult, dim))


class MixerBlock(nn.Module):
    def __init__(self, tokens, dim):
        super().__init__()
        self.norm1 = nn.LayerNorm(dim)
        self.norm2 = nn.LayerNorm(dim)
        self.token_mix = FeedForward(tokens)
        self.channel_mix = FeedForward(dim)

    def forward(self, x):
        x = x + self.token_mix(self.norm1(x).transpose(1, 2)).transpose(1, 2)
        x = x + self.channel_mix(self.norm1(x))
        return x


class AudioMixer(nn.Module):
    def __init__(self, tokens=15, bins=17, dim=24, depth=2, classes=4):
        super().__init__()
        self.proj = nn.Linear(bins, dim)
        self.blocks = nn.ModuleList([MixerBlock(tokens, dim) for _ in range(depth)])
        self.head = nn.Linear(dim, classes)

    def forward(self, wave):
        x = self.proj(frame_energy(wave))
        for block in self.blocks:
            x = block(x)
        return self.head(x.mean(dim=1))


def run(model, loader, optimizer=None):
    model.train(optimizer is not None)
    loss_sum, hits, n = 0.0, 0, 0
    with torch.set_grad_enabled(optimizer is not None):
        for wave, label in loader:
            logits = model(wave)
            loss = F.cross_entropy(logits, label)
            if optimizer is not None:
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            loss_sum += loss.item() * len(label)
            hits += (logits.argmax(1) == label).sum().item()
            n += len(label)
    return loss_sum / n, hits / n


def main():
    torch.manual_seed(0)
    train = DataLoader(ToneDataset(96, 1), batch_size=24, shuffle=True)
    test = DataLoader(ToneDataset(32, 2), batch_size=32)
    model = AudioMixer()
    optimizer = torch.optim.AdamW(model.parameters(), lr=4e-3, weight_decay=0.01)
    for epoch in range(4):
        tr, te = run(model, train, optimizer), run(model, test)
        print(f"{epoch} train {tr[0]:.3f}/{tr[1]:.2f} test {te[0]:.3f}/{te[1]:.2f}")


if __name__ == "__main__":
    main()
