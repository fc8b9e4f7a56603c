"""Tags each token of a sequence by whether the running sum is odd."""

import torch
import torch.nn as nn

torch.manual_seed(3)


class Tagger(nn.Module):
    def __init__(self, vocabulary, hidden, tags):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, hidden)
        self.lstm = nn.LSTM(hidden, hidden, batch_first=True)
        self.dropout = nn.Dropout(p=0.1)
        self.head = nn.Linear(hidden, tags)

    def forward(self, tokens):
        embedded = self.dropout(self.embedding(tokens))
        outputs, _ = self.lstm(embedded)
        return self.head(outputs)


def sample(batch, length):
    tokens = torch.randint(0, 4, (batch, length))
    tags = tokens.cumsum(dim=1) % 2
    return tokens, tags


def loss_of(model, tokens, tags):
    scores = model(tokens)
    return nn.functional.cross_entropy(scores.flatten(0, 1), tags.flatten())


def main():
    model = Tagger(4, 10, 2)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01, weight_decay=1e-4)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9)
    held_out = sample(8, 6)
    for epoch in range(3):
        model.train()
        running = 0.0
        for _ in range(4):
            tokens, tags = sample(8, 6)
            optimizer.zero_grad()
            loss = loss_of(model, tokens, tags)
            loss.backward()
            optimizer.step()
            running += loss.item()
        scheduler.step()
        model.eval()
        with torch.no_grad():
            validation = loss_of(model, *held_out).item()
        print(f"{epoch}: train {running / 4:.3f} validation {validation:.3f}")


main()
