import random

import torch
from torch import nn
from torch.nn import functional as F


class Encoder(nn.Module):
    def __init__(self, vocab, dim=24, pad=0):
        super().__init__()
        self.pad = pad
        self.word_embeddings = nn.Embedding(vocab, dim, padding_idx=pad)
        self.rnn = nn.GRU(dim, dim, batch_first=True, bidirectional=True)

    def forward(self, input_ids=None, attention_mask=None, inputs_embeds=None):
        if input_ids is not None:
            hidden = self.word_embeddings(input_ids)
        else:
            hidden = inputs_embeds
        out, _ = self.rnn(hidden)
        mask = attention_mask.unsqueeze(-1)
        return (out * mask).sum(1) / mask.sum(1)


class TextClassifier(nn.Module):
    def __init__(self, vocab, classes=2):
        super().__init__()
        self.encoder = Encoder(vocab)
        self.dropout = nn.Dropout(0.1)
        self.head = nn.Linear(48, classes)

    def forward(self, labels=None, **inputs):
        logits = self.head(self.dropout(self.encoder(**inputs)))
        loss = F.cross_entropy(logits, labels) if labels is not None else None
        return {"loss": loss, "logits": logits}


class FreeLB:
    def __init__(self, adv_steps=2, adv_lr=0.1, max_norm=0.4):
        self.adv_steps, self.adv_lr, self.max_norm = adv_steps, adv_lr, max_norm

    def attack(self, model, batch):
        table = model.encoder.word_embeddings
        delta = torch.empty(*batch["input_ids"].shape, table.embedding_dim).uniform_(-1, 1) * 1e-2
        losses = []
        for _ in range(self.adv_steps):
            delta.requires_grad_()
            inputs = dict(batch, input_ids=None, inputs_embeds=table(batch["input_ids"]) + delta)
            loss = model(**inputs)["loss"] / self.adv_steps
            loss.backward()
            losses.append(loss.item())
            grad = delta.grad.clone().detach()
            norm = grad.view(grad.size(0), -1).norm(dim=1).clamp(min=1e-8).view(-1, 1, 1)
            delta = (delta + self.adv_lr * grad / norm).detach()
            delta = delta.clamp(-self.max_norm, self.max_norm)
        return sum(losses)


def make_batches(rng, count, size=12, length=9, vocab=40):
    batches = []
    for _ in range(count):
        rows, labels = [], []
        for _ in range(size):
            y, n = rng.randint(0, 1), rng.randint(4, length)
            lo = 1 if y == 0 else 15
            rows.append([rng.randint(lo, lo + 24) for _ in range(n)] + [0] * (length - n))
            labels.append(y)
        ids = torch.tensor(rows)
        batches.append({"input_ids": ids, "attention_mask": (ids != 0).float(), "labels": torch.tensor(labels)})
    return batches


def accuracy(model, batches):
    model.eval()
    with torch.no_grad():
        hits = [(model(**b)["logits"].argmax(1) == b["labels"]).float().mean() for b in batches]
    model.train()
    return torch.stack(hits).mean().item()


def main():
    torch.manual_seed(9)
    rng = random.Random(9)
    train, dev = make_batches(rng, 6), make_batches(rng, 2)
    model, adversary = TextClassifier(vocab=40), FreeLB()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(2):
        for batch in train:
            optimizer.zero_grad()
            loss = adversary.attack(model, batch)
            optimizer.step()
        print(f"epoch {epoch} adv loss {loss:.4f} dev {accuracy(model, dev):.3f}")


if __name__ == "__main__":
    main()
