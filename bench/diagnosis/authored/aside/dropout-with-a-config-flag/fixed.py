import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class Config:
    vocab, width, hidden, tags = 30, 14, 20, 4
    word_dropout = 0.25
    lr, epochs, batch = 5e-3, 3, 16


class WordEncoder(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg
        self.embed = nn.Embedding(cfg.vocab, cfg.width)
        self.lstm = nn.LSTM(cfg.width, cfg.hidden, batch_first=True, bidirectional=True)

    def forward(self, ids):
        x = self.embed(ids)
        if self.cfg.word_dropout:
            x = F.dropout(x, self.cfg.word_dropout, training=self.training)
        out, _ = self.lstm(x)
        return out


class Tagger(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.encoder = WordEncoder(cfg)
        self.norm = nn.LayerNorm(2 * cfg.hidden)
        self.out = nn.Linear(2 * cfg.hidden, cfg.tags)

    def forward(self, ids):
        return self.out(self.norm(self.encoder(ids)))


def corpus(n, cfg, length=8):
    ids = torch.randint(0, cfg.vocab, (n, length))
    before = torch.cat([ids[:, :1], ids[:, :-1]], dim=1)
    return TensorDataset(ids, (ids + before) % cfg.tags)


class Experiment:
    def __init__(self, cfg):
        self.cfg, self.model = cfg, Tagger(cfg)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=cfg.lr)
        self.train_loader = DataLoader(corpus(128, cfg), batch_size=cfg.batch, shuffle=True)
        self.dev_loader = DataLoader(corpus(32, cfg), batch_size=cfg.batch)

    def train_epoch(self):
        self.model.train()
        total = 0.0
        for ids, tag in self.train_loader:
            loss = F.cross_entropy(self.model(ids).flatten(0, 1), tag.flatten())
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            total += loss.item()
        return total / len(self.train_loader)

    def dev_accuracy(self):
        self.model.eval()
        good = seen = 0
        with torch.no_grad():
            for ids, tag in self.dev_loader:
                good += (self.model(ids).argmax(-1) == tag).sum().item()
                seen += tag.numel()
        return good / seen

    def run(self):
        for epoch in range(self.cfg.epochs):
            loss = self.train_epoch()
            print(f"epoch {epoch} loss {loss:.4f} dev {self.dev_accuracy():.3f}")


torch.manual_seed(51)
Experiment(Config()).run()
