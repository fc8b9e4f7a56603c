import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class Tokenizer:
    def __init__(self, text):
        self.words = sorted(set(text.split()))

    def add_tokens(self, tokens):
        new = [t for t in tokens if t not in self.words]
        self.words += new
        return len(new)

    def encode(self, text):
        return torch.tensor([self.words.index(w) for w in text.split()])

    def __len__(self):
        return len(self.words)


class WordLM(nn.Module):
    def __init__(self, vocab, dim=24, tie_weights=True):
        super().__init__()
        self.encoder = nn.Embedding(vocab, dim)
        self.rnn = nn.LSTM(dim, dim, batch_first=True)
        self.decoder = nn.Linear(dim, vocab, bias=False)
        if tie_weights:
            self.decoder.weight = self.encoder.weight

    def resize_token_embeddings(self, new_size):
        old = self.encoder
        self.encoder = nn.Embedding(new_size, old.embedding_dim)
        head = nn.Linear(old.embedding_dim, new_size, bias=False)
        n = old.num_embeddings
        with torch.no_grad():
            self.encoder.weight[:n].copy_(old.weight)
            head.weight[:n].copy_(self.decoder.weight)
        self.decoder = head

    def forward(self, ids):
        out, _ = self.rnn(self.encoder(ids))
        return self.decoder(out)


def windows(ids, length=8, batch=6):
    starts = torch.randperm(len(ids) - length - 1)[: 6 * batch]
    for chunk in starts.split(batch):
        yield torch.stack([ids[s:s + length] for s in chunk.tolist()]), \
            torch.stack([ids[s + 1:s + length + 1] for s in chunk.tolist()])


def train(model, ids, epochs, lr=1e-2):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    for epoch in range(epochs):
        model.train()
        total, n = 0.0, 0
        for x, y in windows(ids):
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 0.5)
            optimizer.step()
            total, n = total + loss.item(), n + 1
        print("epoch %d ppl %.2f" % (epoch, math.exp(total / n)))


if __name__ == "__main__":
    torch.manual_seed(15)
    general = "the patient was seen in the clinic and the doctor said the test was fine " * 6
    domain = "the patient <drug> was given <dose> in the clinic and <drug> was fine " * 6
    tok = Tokenizer(general)
    model = WordLM(len(tok))
    print("pretraining")
    train(model, tok.encode(general), 2)
    added = tok.add_tokens(["<drug>", "<dose>"] + domain.split())
    if added:
        model.resize_token_embeddings(len(tok))
    print("fine-tuning with", added, "new words")
    train(model, tok.encode(domain), 3)
    gap = (model.encoder.weight - model.decoder.weight).abs().max().item()
    print("parameters", sum(p.numel() for p in model.parameters()))
