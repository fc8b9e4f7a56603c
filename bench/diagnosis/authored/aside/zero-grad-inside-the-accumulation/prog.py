import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class PairEncoder(nn.Module):
    def __init__(self, vocab=50, width=16):
        super().__init__()
        self.embed = nn.EmbeddingBag(vocab, width, mode="mean")
        self.project = nn.Sequential(nn.Linear(width, width), nn.GELU(), nn.Linear(width, width))

    def forward(self, ids):
        return self.project(self.embed(ids))


class Matcher(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = PairEncoder()
        self.out = nn.Linear(48, 2)

    def forward(self, a, b):
        u, v = self.encoder(a), self.encoder(b)
        return self.out(torch.cat([u, v, (u - v).abs()], dim=1))


def sentences(n, vocab=50, length=6):
    a = torch.randint(0, vocab, (n, length))
    b = torch.randint(0, vocab, (n, length))
    same = torch.rand(n) < 0.5
    b[same] = a[same][:, torch.randperm(length)]
    return TensorDataset(a, b, same.long())


class AccumulatingTrainer:
    def __init__(self, model, accumulate=4, lr=5e-3):
        self.model, self.accumulate = model, accumulate
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
        self.micro = self.updates = 0

    def micro_batch(self, a, b, same):
        self.optimizer.zero_grad()
        loss = F.cross_entropy(self.model(a, b), same)
        (loss / self.accumulate).backward()
        self.micro += 1
        if self.micro % self.accumulate == 0:
            nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.optimizer.step()
            self.updates += 1
        return loss.item()

    def epoch(self, loader):
        self.model.train()
        losses = [self.micro_batch(*batch) for batch in loader]
        return sum(losses) / len(losses)


def evaluate(model, loader):
    model.eval()
    with torch.no_grad():
        good = sum((model(a, b).argmax(1) == same).sum().item() for a, b, same in loader)
    return good / len(loader.dataset)


def main():
    torch.manual_seed(40)
    trainer = AccumulatingTrainer(Matcher())
    train, valid = DataLoader(sentences(160), batch_size=8, shuffle=True), DataLoader(sentences(40), batch_size=20)
    for epoch in range(3):
        loss = trainer.epoch(train)
        print(f"epoch {epoch} updates {trainer.updates} loss {loss:.4f} acc {evaluate(trainer.model, valid):.3f}")


if __name__ == "__main__":
    main()
