import random

import torch
from torch import nn
from torch.nn import functional as F


class Corpus:
    def __init__(self, length=1200, seed=0):
        rng = random.Random(seed)
        words = ["the cat sat. ", "a dog ran. ", "the bird sang. ", "a cat ran. "]
        text = ""
        while len(text) < length:
            text += rng.choice(words)
        self.chars = sorted(set(text))
        self.ids = torch.tensor([self.chars.index(c) for c in text[:length]])

    def batchify(self, batch):
        n = len(self.ids) // batch
        return self.ids[:n * batch].view(batch, n)


class TiedLM(nn.Module):
    def __init__(self, vocab, dim=24, p=0.2):
        super().__init__()
        self.encoder = nn.Embedding(vocab, dim)
        self.drop = nn.Dropout(p)
        self.rnn = nn.LSTM(dim, dim, batch_first=True)
        self.decoder = nn.Linear(dim, vocab)
        self.decoder.weight = self.encoder.weight
        nn.init.uniform_(self.encoder.weight, -0.1, 0.1)

    def forward(self, x, state=None):
        out, state = self.rnn(self.drop(self.encoder(x)), state)
        return self.decoder(self.drop(out)), state


def repackage(state):
    return None if state is None else tuple(s.detach() for s in state)


class LMTrainer:
    def __init__(self, model, bptt=20, lr=1e-2):
        self.model, self.bptt = model, bptt
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(self.optimizer, factor=0.5, patience=0)

    def windows(self, data):
        for i in range(0, data.size(1) - 1, self.bptt):
            end = min(i + self.bptt, data.size(1) - 1)
            yield data[:, i:end], data[:, i + 1:end + 1]

    def train_epoch(self, data):
        self.model.train()
        state, total, count = None, 0.0, 0
        for x, y in self.windows(data):
            state = repackage(state)
            logits, state = self.model(x, state)
            loss = F.cross_entropy(logits.reshape(-1, logits.size(-1)), y.reshape(-1))
            self.optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), 0.5)
            self.optimizer.step()
            total, count = total + loss.item(), count + 1
        self.plateau.step(total / count)
        return total / count


def enable_dropout(model):
    model.eval()
    for m in model.modules():
        if isinstance(m, nn.Dropout):
            m.train()


@torch.no_grad()
def mc_predict(model, context, samples=20):
    enable_dropout(model)
    probs = torch.stack([F.softmax(model(context)[0][:, -1], dim=-1) for _ in range(samples)])
    mean = probs.mean(dim=0)
    entropy = -(mean * mean.clamp_min(1e-9).log()).sum(dim=-1)
    return mean.argmax(dim=-1), entropy, probs.std(dim=0).max().item()


if __name__ == "__main__":
    torch.manual_seed(57)
    corpus = Corpus()
    model = TiedLM(len(corpus.chars))
    trainer = LMTrainer(model)
    data = corpus.batchify(8)
    for epoch in range(4):
        print(f"epoch {epoch} nll {trainer.train_epoch(data):.4f}")
    nxt, entropy, spread = mc_predict(model, data[:3, 40:60])
    print([corpus.chars[i] for i in nxt.tolist()], [round(e, 3) for e in entropy.tolist()], round(spread, 3))
