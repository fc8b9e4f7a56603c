"""A language model whose output layer shares the weights of the embedding."""

import torch
from torch import nn

torch.manual_seed(28)


class TiedLM(nn.Module):
    def __init__(self, vocabulary, width):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width)
        self.rnn = nn.LSTM(width, width, batch_first=True)
        self.drop = nn.Dropout(0.1)
        self.decoder = nn.Linear(width, vocabulary)
        self.decoder.weight = self.embedding.weight
        self.init_weights()

    def init_weights(self):
        nn.init.uniform_(self.embedding.weight, -0.1, 0.1)
        nn.init.zeros_(self.decoder.bias)

    def forward(self, tokens, state=None):
        outputs, state = self.rnn(self.drop(self.embedding(tokens)), state)
        return self.decoder(self.drop(outputs)), state


def repackage(state):
    return tuple(s.detach() for s in state)


def batchify(stream, batch):
    length = len(stream) // batch
    return stream[: length * batch].view(batch, length)


VOCABULARY = 9
stream = torch.arange(146) * 2 % VOCABULARY
data = batchify(stream, 4)
model = TiedLM(VOCABULARY, 10)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
bptt = 9
for epoch in range(2):
    model.train()
    state = None
    total, count = 0.0, 0
    for start in range(0, data.shape[1] - 1, bptt):
        end = min(start + bptt, data.shape[1] - 1)
        inputs, targets = data[:, start:end], data[:, start + 1 : end + 1]
        if state is not None:
            state = repackage(state)
        optimizer.zero_grad()
        logits, state = model(inputs, state)
        loss = criterion(logits.flatten(0, 1), targets.flatten())
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.25)
        optimizer.step()
        total += loss.item()
        count += 1
    model.eval()
    with torch.no_grad():
        logits, _ = model(data[:, :-1])
        validation = criterion(logits.flatten(0, 1), data[:, 1:].flatten()).item()
    print(f"epoch {epoch}: train {total / count:.3f}, validation {validation:.3f}")
