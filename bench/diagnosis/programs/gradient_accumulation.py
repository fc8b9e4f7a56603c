import torch
from torch import nn

torch.manual_seed(31)

MICRO_BATCH = 4
ACCUMULATE = 4

model = nn.Sequential(nn.Linear(6, 16), nn.LayerNorm(16), nn.ReLU(), nn.Linear(16, 2))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)


def data(n):
    x = torch.randn(n, 6)
    y = (x.sum(dim=1) > 0).long()
    return x, y


def micro_batches(x, y):
    for start in range(0, len(x), MICRO_BATCH):
        yield x[start : start + MICRO_BATCH], y[start : start + MICRO_BATCH]


def train_epoch(x, y):
    model.train()
    total = 0.0
    updates = 0
    optimizer.zero_grad()
    for i, (xb, yb) in enumerate(micro_batches(x, y)):
        loss = criterion(model(xb), yb) / ACCUMULATE
        loss.backward()
        total += loss.item()
        if (i + 1) % ACCUMULATE == 0:
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
            updates += 1
    return total / updates


def evaluate(x, y):
    model.eval()
    with torch.no_grad():
        return (model(x).argmax(dim=1) == y).float().mean().item()


x_train, y_train = data(48)
x_test, y_test = data(24)
for epoch in range(3):
    loss = train_epoch(x_train, y_train)
    print(f"epoch {epoch}: loss {loss:.4f}, accuracy {evaluate(x_test, y_test):.3f}")
