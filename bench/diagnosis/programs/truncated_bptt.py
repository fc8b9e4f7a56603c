"""Remembers a bit over a long stream; the state is carried over and cut at each chunk."""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(47)


class Memory(nn.Module):
    def __init__(self, inputs, hidden):
        super().__init__()
        self.cell = nn.LSTMCell(inputs, hidden)
        self.readout = nn.Linear(hidden, 1)
        self.hidden = hidden

    def zero_state(self, batch):
        return torch.zeros(batch, self.hidden), torch.zeros(batch, self.hidden)

    def forward(self, chunk, state):
        h, c = state
        outputs = []
        for x in chunk.unbind(dim=1):
            h, c = self.cell(x, (h, c))
            outputs.append(self.readout(h))
        return torch.cat(outputs, dim=1), (h, c)


def stream(batch, length):
    writes = (torch.rand(batch, length) < 0.3).float()
    bits = torch.randint(0, 2, (batch, length)).float()
    memory = torch.zeros(batch)
    targets = []
    for t in range(length):
        memory = torch.where(writes[:, t] > 0, bits[:, t], memory)
        targets.append(memory)
    return torch.stack((writes, bits), dim=2), torch.stack(targets, dim=1)


def train_stream(model, optimizer, inputs, targets, chunk):
    h, c = model.zero_state(len(inputs))
    losses = []
    for start in range(0, inputs.shape[1], chunk):
        h = h.detach()
        c = c.detach()
        logits, (h, c) = model(inputs[:, start : start + chunk], (h, c))
        loss = F.binary_cross_entropy_with_logits(logits, targets[:, start : start + chunk])
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
    return sum(losses) / len(losses)


model = Memory(2, 10)
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
for epoch in range(3):
    inputs, targets = stream(4, 20)
    print(epoch, round(train_stream(model, optimizer, inputs, targets, chunk=5), 4))
