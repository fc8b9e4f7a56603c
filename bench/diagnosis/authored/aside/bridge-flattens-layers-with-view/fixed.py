import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Bridge(nn.Module):
    def __init__(self, layers, hidden):
        super().__init__()
        self.total = layers * hidden
        self.linear = nn.Linear(self.total, self.total)

    def forward(self, states):
        size = states.size()
        result = torch.tanh(self.linear(states.transpose(0, 1).reshape(size[1], self.total)))
        return result.view(size[1], size[0], size[2]).transpose(0, 1).contiguous()


class Translator(nn.Module):
    def __init__(self, vocab=16, width=12, hidden=16, layers=2):
        super().__init__()
        self.src, self.tgt = nn.Embedding(vocab, width), nn.Embedding(vocab + 1, width)
        self.encoder = nn.GRU(width, hidden, layers, batch_first=True)
        self.bridge = Bridge(layers, hidden)
        self.decoder = nn.GRU(width, hidden, layers, batch_first=True)
        self.generator = nn.Linear(hidden, vocab)
        self.bos = vocab

    def forward(self, source, target):
        _, states = self.encoder(self.src(source))
        begin = torch.full((len(target), 1), self.bos)
        shifted = torch.cat([begin, target[:, :-1]], dim=1)
        out, _ = self.decoder(self.tgt(shifted), self.bridge(states))
        return self.generator(out)


class NMTCriterion(nn.Module):
    def __init__(self, smoothing=0.1):
        super().__init__()
        self.inner = nn.CrossEntropyLoss(label_smoothing=smoothing)

    def forward(self, scores, target):
        return self.inner(scores.reshape(-1, scores.shape[-1]), target.reshape(-1))


def reversals(n, vocab=16, length=5):
    source = torch.randint(0, vocab, (n, length))
    return TensorDataset(source, source.flip(1))


class Runner:
    def __init__(self, model):
        self.model, self.criterion = model, NMTCriterion()
        self.optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)

    def train(self, loader):
        self.model.train()
        total = 0.0
        for source, target in loader:
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(source, target), target)
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.optimizer.step()
            total += loss.item()
        return total / len(loader)

    def accuracy(self, loader):
        self.model.eval()
        with torch.no_grad():
            hits = [(self.model(s, t).argmax(-1) == t).float().mean().item() for s, t in loader]
        return sum(hits) / len(hits)


if __name__ == "__main__":
    torch.manual_seed(23)
    train, valid = DataLoader(reversals(160), batch_size=20, shuffle=True), DataLoader(reversals(40), batch_size=20)
    runner = Runner(Translator())
    for epoch in range(3):
        print(f"epoch {epoch} loss {runner.train(train):.4f} acc {runner.accuracy(valid):.3f}")
