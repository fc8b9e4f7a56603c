"""Two tasks share a trunk; the weights of the losses are learned."""

import torch
from torch import nn

torch.manual_seed(30)


class MultiTask(nn.Module):
    def __init__(self, inputs, hidden):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())
        self.regression = nn.Linear(hidden, 1)
        self.classification = nn.Linear(hidden, 3)
        self.log_sigma = nn.Parameter(torch.zeros(2))

    def forward(self, x):
        shared = self.trunk(x)
        return self.regression(shared).squeeze(1), self.classification(shared)

    def combine(self, losses):
        losses = torch.stack(losses)
        return (torch.exp(-self.log_sigma) * losses + self.log_sigma).sum()


def make_data(n):
    x = torch.randn(n, 6)
    value = x[:, 0] * x[:, 1] + 0.1 * torch.randn(n)
    label = x[:, 2:5].argmax(dim=1)
    return x, value, label


x, value, label = make_data(48)
model = MultiTask(6, 16)
shared = list(model.trunk.parameters())
heads = [*model.regression.parameters(), *model.classification.parameters()]
optimizer = torch.optim.Adam(
    [
        {"params": shared, "lr": 5e-3},
        {"params": heads, "lr": 1e-2},
        {"params": [model.log_sigma], "lr": 1e-3},
    ]
)
regression_loss = nn.MSELoss()
classification_loss = nn.CrossEntropyLoss()
for epoch in range(3):
    seen = [0.0, 0.0]
    for start in range(0, len(x), 16):
        rows = slice(start, start + 16)
        predicted, logits = model(x[rows])
        losses = [regression_loss(predicted, value[rows]), classification_loss(logits, label[rows])]
        loss = model.combine(losses)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        for i in range(2):
            seen[i] += losses[i].item() / 3
    print(f"epoch {epoch}: regression {seen[0]:.3f}, classification {seen[1]:.3f}")
