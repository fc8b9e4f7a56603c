"""A recurrent classifier that drops finished sequences from its batch, longest first."""

import torch
from torch import nn

torch.manual_seed(108)


class PackedRNN(nn.Module):
    def __init__(self, inputs, hidden, classes):
        super().__init__()
        self.cell = nn.GRUCell(inputs, hidden)
        self.hidden = hidden
        self.classify = nn.Linear(hidden, classes)

    def forward(self, sequences):
        order = sorted(range(len(sequences)), key=lambda i: -len(sequences[i]))
        ordered = [sequences[i] for i in order]
        state = torch.zeros(len(ordered), self.hidden)
        finished = []
        for t in range(len(ordered[0])):
            alive = sum(len(s) > t for s in ordered)
            if alive < len(state):
                finished.append(state[alive:])
                state = state[:alive]
            inputs = torch.stack([s[t] for s in ordered[:alive]])
            state = self.cell(inputs, state)
        finished.append(state)
        last = torch.cat(finished[::-1])
        back = torch.empty(len(order), dtype=torch.long)
        back[torch.tensor(order)] = torch.arange(len(order))
        return self.classify(last[back])


def make_sequences(n):
    sequences, labels = [], []
    for _ in range(n):
        length = int(torch.randint(3, 9, (1,)))
        label = int(torch.randint(0, 3, (1,)))
        steps = torch.randn(length, 4)
        steps[:, label] += 0.8
        sequences.append(steps)
        labels.append(label)
    return sequences, torch.tensor(labels)


def train_epoch(model, optimizer, criterion, data):
    losses = []
    for sequences, labels in data:
        logits = model(sequences)
        loss = criterion(logits, labels)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), max_norm=2.0)
        optimizer.step()
        losses.append(loss.item())
    return sum(losses) / len(losses)


def count_right(model, data):
    model.eval()
    right = 0
    with torch.no_grad():
        for sequences, labels in data:
            right += (model(sequences).argmax(dim=1) == labels).sum().item()
    model.train()
    return right


def main():
    model = PackedRNN(4, 16, 3)
    optimizer = torch.optim.Adagrad(model.parameters(), lr=0.05)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.7)
    criterion = nn.CrossEntropyLoss()
    data = [make_sequences(10) for _ in range(3)]
    for epoch in range(4):
        mean = train_epoch(model, optimizer, criterion, data)
        scheduler.step()
        print("epoch", epoch, "loss %.4f" % mean)
    print("right", count_right(model, data))


main()
