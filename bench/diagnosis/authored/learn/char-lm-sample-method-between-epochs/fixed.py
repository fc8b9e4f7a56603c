import math

import torch
import torch.nn as nn
import torch.nn.functional as F

TEXT = ("the quick brown fox jumps over the lazy dog while the small cat sleeps on the warm mat. "
        "a journey of a thousand miles begins with a single step and a good pair of shoes. ") * 4


class Vocab:
    def __init__(self, text):
        self.itos = sorted(set(text))
        self.stoi = {ch: i for i, ch in enumerate(self.itos)}

    def encode(self, s):
        return torch.tensor([self.stoi[c] for c in s], dtype=torch.long)

    def decode(self, ids):
        return "".join(self.itos[i] for i in ids)

    def __len__(self):
        return len(self.itos)


class CharRNN(nn.Module):
    def __init__(self, vocab_size, emb=16, hidden=32, dropout=0.4):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, emb)
        self.rnn = nn.GRU(emb, hidden, batch_first=True)
        self.drop = nn.Dropout(dropout)
        self.fc = nn.Linear(hidden, vocab_size)

    def forward(self, x, h=None):
        out, h = self.rnn(self.drop(self.embed(x)), h)
        return self.fc(self.drop(out)), h

    @torch.no_grad()
    def generate(self, start, length, temperature=0.8):
        was_training = self.training
        self.eval()
        ids, h = list(start.tolist()), None
        x = start.unsqueeze(0)
        for _ in range(length):
            logits, h = self(x, h)
            probs = F.softmax(logits[0, -1] / temperature, dim=-1)
            nxt = torch.multinomial(probs, 1)
            ids.append(nxt.item())
            x = nxt.view(1, 1)
        self.train(was_training)
        return ids


def batches(data, seq_len, batch_size):
    n = (len(data) - 1) // seq_len
    order = torch.randperm(n)
    for i in range(0, n - batch_size + 1, batch_size):
        idx = order[i:i + batch_size]
        x = torch.stack([data[j * seq_len:j * seq_len + seq_len] for j in idx.tolist()])
        y = torch.stack([data[j * seq_len + 1:j * seq_len + seq_len + 1] for j in idx.tolist()])
        yield x, y


class Trainer:
    def __init__(self, model, vocab, lr=5e-3, clip=1.0, sample_every=1):
        self.model, self.vocab = model, vocab
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.criterion = nn.CrossEntropyLoss()
        self.clip, self.sample_every = clip, sample_every
        self.history = []

    def train(self, data, epochs):
        self.model.train()
        for epoch in range(epochs):
            total, steps = 0.0, 0
            for x, y in batches(data, 16, 8):
                logits, _ = self.model(x)
                loss = self.criterion(logits.reshape(-1, logits.size(-1)), y.reshape(-1))
                self.optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.model.parameters(), self.clip)
                self.optimizer.step()
                total, steps = total + loss.item(), steps + 1
            self.history.append(total / steps)
            if epoch % self.sample_every == 0:
                print(epoch, "ppl %.2f" % math.exp(self.history[-1]))
                print(repr(self.vocab.decode(self.model.generate(self.vocab.encode("the "), 30))))


if __name__ == "__main__":
    torch.manual_seed(1)
    vocab = Vocab(TEXT)
    model = CharRNN(len(vocab))
    trainer = Trainer(model, vocab)
    trainer.train(vocab.encode(TEXT), epochs=4)
