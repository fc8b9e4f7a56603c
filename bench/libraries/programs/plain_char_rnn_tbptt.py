"""A character LSTM with truncated backpropagation through time and sampling.

packages: torch
"""
import torch
from torch import nn

torch.manual_seed(0)
text = "the cat sat on the mat. " * 8
letters = sorted(set(text))
data = torch.tensor([letters.index(c) for c in text])


class Model(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.embed = nn.Embedding(n, 8)
        self.lstm = nn.LSTM(8, 16, batch_first=True)
        self.out = nn.Linear(16, n)

    def forward(self, x, state=None):
        h, state = self.lstm(self.embed(x), state)
        return self.out(h), state


model = Model(len(letters))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
rows = data[:184].view(4, 46)
for epoch in range(2):
    state = None
    for i in range(0, 45, 15):
        logits, state = model(rows[:, i:i + 15], state)
        state = tuple(s.detach() for s in state)
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), rows[:, i + 1:i + 16].flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    print(epoch, round(loss.item(), 3))
with torch.no_grad():
    token, state, out = data[:1][None], None, ""
    for _ in range(10):
        logits, state = model(token, state)
        token = torch.multinomial(logits[:, -1].softmax(-1), 1)
        out += letters[token.item()]
print(repr(out))
