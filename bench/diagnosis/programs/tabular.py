"""A model of tables: embedded categories beside normalised numbers."""

import torch
import torch.nn as nn

torch.manual_seed(120)

CARDINALITIES = {"city": 6, "weekday": 7, "channel": 3}


class TableEncoder(nn.Module):
    def __init__(self, cardinalities, numbers):
        super().__init__()
        self.embeddings = nn.ModuleDict({name: nn.Embedding(n, min(4, (n + 1) // 2)) for name, n in cardinalities.items()})
        self.norm = nn.BatchNorm1d(numbers)
        self.width = numbers + sum(e.embedding_dim for e in self.embeddings.values())

    def forward(self, row):
        parts = [embedding(row[name]) for name, embedding in self.embeddings.items()]
        return torch.cat((*parts, self.norm(row["numbers"])), dim=1)


class TableModel(nn.Module):
    def __init__(self, cardinalities, numbers):
        super().__init__()
        self.encode = TableEncoder(cardinalities, numbers)
        self.wide = nn.Linear(self.encode.width, 1)
        self.deep = nn.Sequential(nn.Linear(self.encode.width, 24), nn.PReLU(), nn.Dropout(0.1), nn.Linear(24, 1))

    def forward(self, row):
        features = self.encode(row)
        return (self.wide(features) + self.deep(features)).squeeze(1)


class Table:
    def __init__(self, n):
        self.columns = {name: torch.randint(0, c, (n,)) for name, c in CARDINALITIES.items()}
        self.columns["numbers"] = torch.randn(n, 3) * torch.tensor([1.0, 5.0, 0.2])
        numbers = self.columns["numbers"]
        score = numbers[:, 0] + 0.2 * numbers[:, 1] + (self.columns["weekday"] > 4).float() - (self.columns["city"] == 2).float()
        self.clicked = (score + 0.3 * torch.randn(n) > 0).float()

    def __len__(self):
        return len(self.clicked)

    def batches(self, size, shuffle):
        order = torch.randperm(len(self)) if shuffle else torch.arange(len(self))
        for chosen in order.split(size):
            yield {name: column[chosen] for name, column in self.columns.items()}, self.clicked[chosen]


def evaluate(model, table, criterion):
    model.eval()
    total, right = 0.0, 0
    with torch.no_grad():
        for row, clicked in table.batches(16, shuffle=False):
            logits = model(row)
            total += criterion(logits, clicked).item() * len(clicked)
            right += ((logits > 0) == (clicked > 0.5)).sum().item()
    return total / len(table), right / len(table)


train_table, test_table = Table(64), Table(32)
model = TableModel(CARDINALITIES, numbers=3)
criterion = nn.BCEWithLogitsLoss(pos_weight=torch.tensor(1.5))
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
for epoch in range(4):
    model.train()
    for row, clicked in train_table.batches(16, shuffle=True):
        optimizer.zero_grad()
        loss = criterion(model(row), clicked)
        loss.backward()
        optimizer.step()
    test_loss, accuracy = evaluate(model, test_table, criterion)
    print("epoch %d: train %.4f, test %.4f, accuracy %.3f" % (epoch, loss.item(), test_loss, accuracy))
