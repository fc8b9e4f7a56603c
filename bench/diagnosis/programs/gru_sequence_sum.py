import torch
from torch import nn

torch.manual_seed(4)

batches = []
for _ in range(5):
    sequence = torch.rand(6, 7, 1)
    batches.append((sequence, sequence.sum(dim=1)))


class SumGRU(nn.Module):
    def __init__(self, hidden=8):
        super().__init__()
        self.gru = nn.GRU(1, hidden, num_layers=2, batch_first=True)
        self.norm = nn.LayerNorm(hidden)
        self.readout = nn.Linear(hidden, 1)

    def forward(self, sequence):
        _, last = self.gru(sequence)
        return self.readout(self.norm(last[-1]))


class EarlyStopping:
    def __init__(self, patience):
        self.patience = patience
        self.best = float("inf")
        self.bad = 0

    def update(self, value):
        if value < self.best:
            self.best = value
            self.bad = 0
        else:
            self.bad += 1
        return self.bad >= self.patience


model = SumGRU()
optimizer = torch.optim.RMSprop(model.parameters(), lr=5e-3)
stopping = EarlyStopping(patience=2)
for epoch in range(4):
    total = 0.0
    for sequence, target in batches[:-1]:
        prediction = model(sequence)
        loss = (prediction - target).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=5.0)
        optimizer.step()
        total += loss.item()
    with torch.no_grad():
        sequence, target = batches[-1]
        validation = (model(sequence) - target).pow(2).mean().item()
    print(epoch, round(total / 4, 4), round(validation, 4))
    if stopping.update(validation):
        break
