"""A network that produces the weights of another one for each task."""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(56)


class HyperNetwork(nn.Module):
    def __init__(self, tasks, embedding, inputs, outputs):
        super().__init__()
        self.shape = (outputs, inputs)
        self.task = nn.Embedding(tasks, embedding)
        self.body = nn.Linear(embedding, 16)
        self.weight = nn.Linear(16, inputs * outputs)
        self.bias = nn.Linear(16, outputs)

    def forward(self, task):
        h = torch.tanh(self.body(self.task(task)))
        return self.weight(h).view(self.shape), self.bias(h)


class Tasks:
    def __init__(self, number, inputs):
        self.targets = torch.randn(number, inputs)

    def batch(self, task, n):
        x = torch.randn(n, self.targets.shape[1])
        return x, (x @ self.targets[task]).unsqueeze(1)


tasks = Tasks(3, 4)
hyper = HyperNetwork(3, 5, 4, 1)
optimizer = torch.optim.Adam(hyper.parameters(), lr=0.01)
for round_number in range(5):
    losses = []
    optimizer.zero_grad()
    for task in range(3):
        x, y = tasks.batch(task, 12)
        weight, bias = hyper(torch.tensor(task))
        prediction = F.linear(x, weight, bias)
        loss = F.mse_loss(prediction, y) / 3
        loss.backward()
        losses.append(loss.item())
    optimizer.step()
    print(f"round {round_number}: {sum(losses):.4f}")

with torch.no_grad():
    for task in range(3):
        weight, _ = hyper(torch.tensor(task))
        cosine = F.cosine_similarity(weight.flatten(), tasks.targets[task], dim=0)
        print(f"task {task}: {cosine.item():.3f}")
