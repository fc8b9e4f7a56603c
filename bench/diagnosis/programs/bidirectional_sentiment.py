"""A bidirectional recurrent classifier with attention pooling; the embedding is frozen first."""

import copy

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(78)


class Classifier(nn.Module):
    def __init__(self, vocabulary, width, hidden):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width)
        self.forward_cell = nn.GRUCell(width, hidden)
        self.backward_cell = nn.GRUCell(width, hidden)
        self.score = nn.Linear(2 * hidden, 1)
        self.dropout = nn.Dropout(0.2)
        self.output = nn.Linear(2 * hidden, 1)
        self.hidden = hidden

    def run(self, cell, steps):
        state = torch.zeros(steps[0].shape[0], self.hidden)
        states = []
        for x in steps:
            state = cell(x, state)
            states.append(state)
        return states

    def forward(self, tokens):
        steps = list(self.embedding(tokens).unbind(dim=1))
        ahead = self.run(self.forward_cell, steps)
        back = self.run(self.backward_cell, steps[::-1])[::-1]
        h = torch.stack([torch.cat(pair, dim=1) for pair in zip(ahead, back)], dim=1)
        attention = F.softmax(self.score(h), dim=1)
        pooled = (attention * h).sum(dim=1)
        return self.output(self.dropout(pooled)).squeeze(1)


def reviews(n, length, vocabulary):
    tokens = torch.randint(vocabulary, (n, length))
    positive = (tokens >= vocabulary // 2).float().mean(dim=1)
    return tokens, (positive > 0.5).float()


model = Classifier(10, 6, 6)
model.embedding.weight.requires_grad_(False)
trainable = [p for p in model.parameters() if p.requires_grad]
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.Adam(trainable, lr=0.02)
train_x, train_y = reviews(24, 5, 10)
valid_x, valid_y = reviews(12, 5, 10)
best = {"loss": float("inf"), "state": None}
for epoch in range(3):
    if epoch == 1:
        model.embedding.weight.requires_grad_(True)
        optimizer.add_param_group({"params": [model.embedding.weight], "lr": 0.005})
    model.train()
    for xb, yb in zip(train_x.split(8), train_y.split(8)):
        optimizer.zero_grad()
        loss = criterion(model(xb), yb)
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        valid_loss = criterion(model(valid_x), valid_y).item()
    if valid_loss < best["loss"]:
        best = {"loss": valid_loss, "state": copy.deepcopy(model.state_dict())}
    print(f"epoch {epoch}: {loss.item():.4f} {valid_loss:.4f}")
model.load_state_dict(best["state"])
model.eval()
with torch.no_grad():
    print("restored", criterion(model(valid_x), valid_y).item())
