import math
from dataclasses import dataclass, field
from typing import List

import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class TaggerConfig:
    n_mels: int = 12
    frames: int = 24
    channels: List[int] = field(default_factory=lambda: [8, 16])
    n_tags: int = 5
    head_act: str = "none"
    pos_weight: float = 2.0
    lr: float = 5e-3
    epochs: int = 3
    batch_size: int = 16


ACTS = {"relu": nn.ReLU, "sigmoid": nn.Sigmoid, "none": nn.Identity}


class ConvBlock(nn.Sequential):
    def __init__(self, cin, cout):
        super().__init__(
            nn.Conv2d(cin, cout, 3, padding=1, bias=False),
            nn.BatchNorm2d(cout),
            nn.ReLU(inplace=True),
            nn.AvgPool2d(2),
        )


def make_head(cin, cfg):
    return nn.Sequential(nn.Linear(cin, 32), nn.ReLU(), nn.Linear(32, cfg.n_tags), ACTS[cfg.head_act]())


class AudioTagger(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        sizes = [1] + cfg.channels
        self.blocks = nn.ModuleList(ConvBlock(a, b) for a, b in zip(sizes, sizes[1:]))
        self.head = make_head(cfg.channels[-1], cfg)

    def forward(self, mel):
        x = mel.unsqueeze(1)
        for block in self.blocks:
            x = block(x)
        x = x.mean(dim=3).max(dim=2).values
        return {"clipwise": self.head(x), "embedding": x}


class TagLoss(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.register_buffer("pos_weight", torch.full((cfg.n_tags,), cfg.pos_weight))

    def forward(self, out, target):
        return F.binary_cross_entropy_with_logits(out["clipwise"], target, pos_weight=self.pos_weight)


def synth_clips(n, cfg):
    tags = (torch.rand(n, cfg.n_tags) < 0.3).float()
    t = torch.arange(cfg.frames).float() / cfg.frames
    mel = 0.3 * torch.randn(n, cfg.n_mels, cfg.frames)
    for k in range(cfg.n_tags):
        mel[:, 2 * k] += tags[:, k:k + 1] * (1 + torch.sin(2 * math.pi * (k + 1) * t))
    return mel, tags


def mean_average_precision(scores, tags):
    aps = []
    for k in range(tags.shape[1]):
        order = scores[:, k].argsort(descending=True)
        hits = tags[order, k]
        precision = hits.cumsum(0) / torch.arange(1, len(hits) + 1)
        aps.append((precision * hits).sum() / hits.sum().clamp(min=1))
    return torch.stack(aps).mean().item()


def main():
    torch.manual_seed(11)
    cfg = TaggerConfig()
    mel, tags = synth_clips(96, cfg)
    model, criterion = AudioTagger(cfg), TagLoss(cfg)
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg.lr)
    for epoch in range(cfg.epochs):
        model.train()
        for idx in torch.randperm(len(mel)).split(cfg.batch_size):
            optimizer.zero_grad()
            loss = criterion(model(mel[idx]), tags[idx])
            loss.backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            score = mean_average_precision(model(mel)["clipwise"], tags)
        print(f"epoch {epoch}: loss {loss.item():.4f} mAP {score:.3f}")
    return model, mel


if __name__ == "__main__":
    main()
