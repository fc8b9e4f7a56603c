import random

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Decoder(nn.Module):
    def __init__(self, vocab=12, width=16, context=4):
        super().__init__()
        self.embed = nn.Embedding(vocab + 1, width)
        self.cell = nn.GRUCell(width + context, 24)
        self.out = nn.Linear(24, vocab)
        self.start = vocab

    def first(self, n):
        return torch.full((n,), self.start), torch.zeros(n, 24)

    def forward(self, token, context, state):
        state = self.cell(torch.cat([self.embed(token), context], dim=1), state)
        return self.out(state), state


class ScheduledSampling:
    """Feeds back predictions with growing probability."""

    def __init__(self, decoder, lr=5e-3, decay=0.05):
        self.decoder, self.decay, self.ratio = decoder, decay, 1.0
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.Adam(decoder.parameters(), lr=lr)

    def sequence_loss(self, context, target):
        token, state = self.decoder.first(len(target))
        losses = []
        for t in range(target.shape[1]):
            logits, state = self.decoder(token, context, state)
            losses.append(self.criterion(logits, target[:, t]))
            teacher = random.random() < self.ratio
            token = target[:, t] if teacher else logits.argmax(dim=1)
        return torch.stack(losses).mean()

    def step(self, context, target):
        loss = self.sequence_loss(context, target)
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.decoder.parameters(), 1.0)
        self.optimizer.step()
        self.ratio = max(0.3, self.ratio - self.decay)
        return loss.item()


def melodies(n, vocab=12, length=6):
    context = torch.randn(n, 4)
    start = (context[:, 0] > 0).long() * 6
    stride = (context[:, 1] > 0).long() + 1
    target = (start.unsqueeze(1) + stride.unsqueeze(1) * torch.arange(length)) % vocab
    return TensorDataset(context, target)


def main():
    random.seed(55)
    torch.manual_seed(55)
    trainer = ScheduledSampling(Decoder())
    loader = DataLoader(melodies(128), batch_size=16, shuffle=True)
    for epoch in range(2):
        losses = [trainer.step(*batch) for batch in loader]
        print(f"epoch {epoch} loss {sum(losses) / len(losses):.4f} ratio {trainer.ratio:.2f}")


if __name__ == "__main__":
    main()
