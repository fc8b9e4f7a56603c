"""A recurrent network, written out, that learns the next character of a text."""

import torch
from torch import nn

torch.manual_seed(2)

TEXT = "the quick brown fox jumps over the lazy dog and runs away "
VOCABULARY = sorted(set(TEXT))
INDEX = {c: i for i, c in enumerate(VOCABULARY)}


class CharRNN(nn.Module):
    def __init__(self, size, hidden):
        super().__init__()
        self.hidden_size = hidden
        self.embed = nn.Embedding(size, 8)
        self.input = nn.Linear(8, hidden)
        self.recur = nn.Linear(hidden, hidden, bias=False)
        self.output = nn.Linear(hidden, size)

    def forward(self, tokens, state):
        outputs = []
        for t in range(tokens.shape[1]):
            e = self.embed(tokens[:, t])
            state = torch.tanh(self.input(e) + self.recur(state))
            outputs.append(self.output(state))
        return torch.stack(outputs, dim=1), state

    def initial_state(self, batch):
        return torch.zeros(batch, self.hidden_size)


def chunks(data, length):
    for start in range(0, len(data) - length - 1, length):
        yield data[start : start + length], data[start + 1 : start + length + 1]


data = torch.tensor([INDEX[c] for c in TEXT])
model = CharRNN(len(VOCABULARY), 12)
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
criterion = nn.CrossEntropyLoss()
for epoch in range(3):
    state = model.initial_state(1)
    losses = []
    for inputs, targets in chunks(data, 8):
        state = state.detach()
        logits, state = model(inputs.unsqueeze(0), state)
        loss = criterion(logits.reshape(-1, len(VOCABULARY)), targets)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
    print(f"epoch {epoch}: {sum(losses) / len(losses):.3f}")

with torch.no_grad():
    token, state, text = torch.tensor([[0]]), model.initial_state(1), ""
    for _ in range(10):
        logits, state = model(token, state)
        token = logits[:, -1].argmax(dim=-1, keepdim=True)
        text += VOCABULARY[token.item()]
print(repr(text))
