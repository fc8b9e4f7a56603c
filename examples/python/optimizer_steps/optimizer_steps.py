"""An optimizer changes parameters in place: a graph made before step() cannot be used after it."""

import torch
from torch import nn

torch.manual_seed(0)
x, target = torch.randn(8, 2), torch.randn(8, 1)

for make in (
    lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9),
    lambda p: torch.optim.Adam(p, lr=0.1),
):
    torch.manual_seed(1)
    model = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))
    optimizer = make(model.parameters())
    for step in range(3):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), target)
        loss.backward()
        optimizer.step()
        print(f"{type(optimizer).__name__} step {step}: loss = {loss.item():.4f}, version of the weight: {model[0].weight._version}")

early = nn.functional.mse_loss(model(x), target)  # saves the weights
late = nn.functional.mse_loss(model(x), target)
late.backward()
optimizer.step()  # changes them
early.backward()
