import random
from collections import defaultdict

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

INTENTS = ["weather", "music", "alarm", "news"]
LOSSES = {
    "ce": lambda out, y: F.cross_entropy(out, y),
    "mse": lambda out, y: F.mse_loss(out, F.one_hot(y, len(INTENTS)).float()),
}


class UtteranceDataset(Dataset):
    def __init__(self, n, vocab_size=60, max_len=9, seed=3):
        rng = random.Random(seed)
        self.items = []
        for _ in range(n):
            label = rng.randrange(len(INTENTS))
            length = rng.randint(4, max_len)
            tokens = [rng.randrange(1, vocab_size) for _ in range(length)]
            tokens[rng.randrange(length)] = 1 + label * 3 + rng.randrange(3)
            self.items.append((tokens + [0] * (max_len - length), label))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        tokens, label = self.items[i]
        return torch.tensor(tokens), torch.tensor(label)


class Encoder(nn.Module):
    def __init__(self, vocab_size, emb=16, hidden=24):
        super().__init__()
        self.emb = nn.Embedding(vocab_size, emb, padding_idx=0)
        self.lstm = nn.LSTM(emb, hidden, batch_first=True, bidirectional=True)

    def forward(self, tokens):
        out, _ = self.lstm(self.emb(tokens))
        mask = (tokens != 0).unsqueeze(-1).float()
        return (out * mask).sum(1) / mask.sum(1)


class IntentHead(nn.Module):
    def __init__(self, dim, n_out, p=0.1):
        super().__init__()
        self.dense = nn.Linear(dim, dim)
        self.drop = nn.Dropout(p)
        self.out = nn.Linear(dim, n_out)

    def forward(self, pooled):
        h = self.drop(torch.tanh(self.dense(pooled)))
        return self.out(h).softmax(-1)


class IntentModel(nn.Module):
    def __init__(self, vocab_size):
        super().__init__()
        self.encoder = Encoder(vocab_size)
        self.head = IntentHead(48, len(INTENTS))

    def forward(self, tokens):
        return self.head(self.encoder(tokens))

    @torch.no_grad()
    def predict(self, tokens):
        self.eval()
        return [INTENTS[i] for i in self(tokens).argmax(-1).tolist()]


def fit(model, loader, loss_name="ce", epochs=5, lr=1e-2):
    criterion = LOSSES[loss_name]
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    history = defaultdict(list)
    for epoch in range(epochs):
        model.train()
        for tokens, label in loader:
            optimizer.zero_grad()
            loss = criterion(model(tokens), label)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            history[epoch].append(loss.item())
        print("epoch %d loss %.3f" % (epoch, sum(history[epoch]) / len(history[epoch])))
    return history


torch.manual_seed(7)
train_set = UtteranceDataset(160)
model = IntentModel(60)
history = fit(model, DataLoader(train_set, batch_size=32, shuffle=True))
batch = torch.stack([train_set[i][0] for i in range(5)])
print(model.predict(batch), [INTENTS[train_set[i][1]] for i in range(5)])
