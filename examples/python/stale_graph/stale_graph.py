"""A recurrent model keeps its hidden state between epochs, and with it the graph of the epoch before."""

import torch
from torch import nn

torch.manual_seed(0)


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.RNNCell(1, 4)
        self.out = nn.Linear(4, 1)
        self.hidden = torch.zeros(1, 4)

    def forward(self, sequence):
        for x in sequence:
            self.hidden = self.cell(x.view(1, 1), self.hidden)
        return self.out(self.hidden)


model = Counter()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
sequence = torch.tensor([1.0, 0.0, 1.0])

for epoch in range(2):
    optimizer.zero_grad()
    # model.hidden = model.hidden.detach() is missing here
    loss = (model(sequence) - 2).pow(2).mean()
    loss.backward()
    optimizer.step()
    print(f"epoch {epoch}: loss = {loss.item():.4f}")
