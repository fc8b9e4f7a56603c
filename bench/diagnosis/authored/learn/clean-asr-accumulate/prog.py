import math

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset


class Utterances(Dataset):
    def __init__(self, n, seed, frames=24, mels=8, phones=5, max_len=4):
        g = torch.Generator().manual_seed(seed)
        table = torch.randn(phones + 1, mels, generator=torch.Generator().manual_seed(123))
        self.items = []
        for _ in range(n):
            length = int(torch.randint(2, max_len + 1, (1,), generator=g))
            target = torch.randint(1, phones + 1, (length,), generator=g)
            per = frames // length
            feats = table[target].repeat_interleave(per, dim=0)
            feats = F.pad(feats, (0, 0, 0, frames - len(feats)))
            self.items.append((feats + 0.3 * torch.randn(frames, mels, generator=g), target))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


def collate(rows):
    feats = torch.stack([r[0] for r in rows])
    lengths = torch.tensor([len(r[1]) for r in rows])
    return feats, torch.cat([r[1] for r in rows]), lengths


class AcousticModel(nn.Module):
    def __init__(self, mels=8, hidden=24, phones=5):
        super().__init__()
        self.conv = nn.Conv1d(mels, hidden, 3, padding=1)
        self.rnn = nn.GRU(hidden, hidden, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hidden, phones + 1)

    def forward(self, x):
        x = F.gelu(self.conv(x.transpose(1, 2))).transpose(1, 2)
        return F.log_softmax(self.out(self.rnn(x)[0]), dim=2).transpose(0, 1)


class AccumulatingTrainer:
    def __init__(self, model, accumulate=4, lr=4e-3, total_steps=12):
        self.model, self.accumulate = model, accumulate
        self.ctc = nn.CTCLoss(blank=0)
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
        warm = lambda s: min(1.0, (s + 1) / 3) * (0.5 + 0.5 * math.cos(math.pi * min(s, total_steps) / total_steps))
        self.scheduler = torch.optim.lr_scheduler.LambdaLR(self.optimizer, warm)
        self.updates = 0

    def loss(self, batch):
        feats, targets, lengths = batch
        logp = self.model(feats)
        frames = torch.full((len(lengths),), logp.size(0), dtype=torch.long)
        return self.ctc(logp, targets, frames, lengths)

    def train_epoch(self, loader):
        self.model.train()
        n, total = len(loader), 0.0
        self.optimizer.zero_grad()
        for i, batch in enumerate(loader):
            window = min(self.accumulate, n - (i // self.accumulate) * self.accumulate)
            loss = self.loss(batch)
            (loss / window).backward()
            total += loss.item()
            if (i + 1) % self.accumulate == 0 or i + 1 == n:
                nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                self.optimizer.step()
                self.scheduler.step()
                self.optimizer.zero_grad()
                self.updates += 1
        return total / n

    def evaluate(self, loader):
        self.model.eval()
        with torch.no_grad():
            losses = [self.loss(batch) for batch in loader]
        return torch.stack(losses).mean().item()


if __name__ == "__main__":
    torch.manual_seed(52)
    train = DataLoader(Utterances(60, seed=1), batch_size=6, shuffle=True, collate_fn=collate)
    test = DataLoader(Utterances(12, seed=2), batch_size=6, collate_fn=collate)
    trainer = AccumulatingTrainer(AcousticModel())
    for epoch in range(4):
        print(epoch, round(trainer.train_epoch(train), 4), round(trainer.evaluate(test), 4), trainer.updates)
