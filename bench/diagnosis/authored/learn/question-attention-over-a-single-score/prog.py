import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class RelationData:
    """Questions as word ids; the relation is decided by one marker word."""

    def __init__(self, vocab=40, length=7, relations=5):
        self.vocab, self.length, self.relations = vocab, length, relations

    def sample(self, n):
        words = torch.randint(self.relations, self.vocab, (n, self.length))
        label = torch.randint(0, self.relations, (n,))
        where = torch.randint(0, self.length, (n,))
        words[torch.arange(n), where] = label
        return TensorDataset(words, label)


class EmbedVector(nn.Module):
    def __init__(self, vocab, embed=16, hidden=12, out=8):
        super().__init__()
        self.embed = nn.Embedding(vocab, embed)
        self.gru = nn.GRU(embed, hidden, bidirectional=True)
        self.attn = nn.Sequential(nn.Linear(embed + 2 * hidden, 12), nn.Tanh(), nn.Linear(12, 1))
        self.to_out = nn.Linear(embed + 2 * hidden, out)

    def forward(self, words):
        x = self.embed(words.t())
        outputs, _ = self.gru(x)
        both = torch.cat((x, outputs), dim=2)
        weights = torch.softmax(self.attn(both), dim=-1)
        return self.to_out((weights * both).sum(dim=0))


class RelationModel(nn.Module):
    def __init__(self, data):
        super().__init__()
        self.question = EmbedVector(data.vocab)
        self.relation = nn.Embedding(data.relations, 8)

    def forward(self, words):
        return self.question(words) @ self.relation.weight.t()


class Runner:
    def __init__(self, model, lr=5e-3):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.criterion = nn.CrossEntropyLoss()

    def epoch(self, loader):
        self.model.train()
        total, seen = 0.0, 0
        for words, label in loader:
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(words), label)
            loss.backward()
            self.optimizer.step()
            total, seen = total + loss.item() * len(label), seen + len(label)
        return total / seen

    def accuracy(self, loader):
        self.model.eval()
        good = seen = 0
        with torch.no_grad():
            for words, label in loader:
                good += (self.model(words).argmax(1) == label).sum().item()
                seen += len(label)
        return good / seen


torch.manual_seed(8)
data = RelationData()
train = DataLoader(data.sample(192), batch_size=32, shuffle=True)
test = DataLoader(data.sample(64), batch_size=32)
runner = Runner(RelationModel(data))
for epoch in range(3):
    print(f"{epoch} loss {runner.epoch(train):.4f} acc {runner.accuracy(test):.3f}")
