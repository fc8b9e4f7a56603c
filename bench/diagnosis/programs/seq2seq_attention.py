"""An encoder and a decoder with attention; the decoder is taught with the right tokens."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(27)
START = 0


class Encoder(nn.Module):
    def __init__(self, symbols, width):
        super().__init__()
        self.embed = nn.Embedding(symbols, width)
        self.rnn = nn.GRU(width, width, batch_first=True)

    def forward(self, tokens):
        return self.rnn(self.embed(tokens))


class Decoder(nn.Module):
    def __init__(self, symbols, width):
        super().__init__()
        self.embed = nn.Embedding(symbols, width)
        self.cell = nn.GRUCell(2 * width, width)
        self.out = nn.Linear(width, symbols)

    def attend(self, hidden, memory):
        scores = torch.bmm(memory, hidden.unsqueeze(2)).squeeze(2)
        weights = F.softmax(scores, dim=1)
        return torch.bmm(weights.unsqueeze(1), memory).squeeze(1)

    def forward(self, token, hidden, memory):
        context = self.attend(hidden, memory)
        hidden = self.cell(torch.cat([self.embed(token), context], dim=1), hidden)
        return self.out(hidden), hidden


class Seq2Seq(nn.Module):
    def __init__(self, symbols, width):
        super().__init__()
        self.encoder = Encoder(symbols, width)
        self.decoder = Decoder(symbols, width)

    def forward(self, source, target):
        memory, hidden = self.encoder(source)
        hidden = hidden[0]
        token = torch.full((len(source),), START)
        logits = []
        for t in range(target.shape[1]):
            step, hidden = self.decoder(token, hidden, memory)
            logits.append(step)
            token = target[:, t]
        return torch.stack(logits, dim=1)


model = Seq2Seq(symbols=6, width=10)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for iteration in range(5):
    source = torch.randint(1, 6, (6, 4))
    target = source.flip(dims=[1])
    optimizer.zero_grad()
    logits = model(source, target)
    loss = F.cross_entropy(logits.reshape(-1, 6), target.reshape(-1))
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    print(iteration, f"{loss.item():.4f}")
