import torch
from torch import nn

torch.manual_seed(0)
text = "hello hello help"
letters = sorted(set(text))
index = {c: i for i, c in enumerate(letters)}
data = torch.tensor([index[c] for c in text])


class Model(nn.Module):
    def __init__(self, cell):
        super().__init__()
        self.embed = nn.Embedding(len(letters), 6)
        self.rnn = cell(6, 8, batch_first=True)
        self.head = nn.Linear(8, len(letters))

    def forward(self, ids, state=None):
        out, state = self.rnn(self.embed(ids), state)
        return self.head(out), state


for cell in (nn.GRU, nn.LSTM, nn.RNN):
    model = Model(cell)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    for step in range(5):
        logits, _ = model(data[None, :-1])
        loss = nn.functional.cross_entropy(logits[0], data[1:])
        optimizer.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    print(cell.__name__, f"{loss.item():.4f} {norm.item():.4f}")
    state, at, out = None, torch.tensor([[index["h"]]]), "h"
    with torch.no_grad():
        for _ in range(6):
            logits, state = model(at, state)
            at = logits[:, -1].argmax(-1, keepdim=True)
            out += letters[at.item()]
    print(out)
