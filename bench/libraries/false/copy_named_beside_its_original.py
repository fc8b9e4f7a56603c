"""False: inplace-alias, "is modified in place, and what looks like its old value changes with it".

The rule takes `average = copy.deepcopy(model)` for an operation in place whose result
got a new name, because a write happens in the call. The write fills the new buffer, a tensor
that did not exist before the line and that `model` never named. A line below mentions both
names, as any update of an average does. AveragedModel(model) of PyTorch is reported so.
"""
import copy

import torch
from torch import nn


def update(average, model, n):
    for a, b in zip(average.buffers(), model.buffers()):
        a.copy_(a + (b - a) / n)


torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4, momentum=None), nn.Linear(4, 1))
average = copy.deepcopy(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(3):
    loss = model(torch.randn(8, 3)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    with torch.no_grad():
        update(average, model, step + 2)
    print(step, loss.item())
