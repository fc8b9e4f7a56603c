"""MAML with torch.func: functional_call and grad inside the outer loss, vmap over tasks.

packages: torch
"""
import torch
from torch import nn
from torch.func import functional_call, grad, vmap

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)


def loss_of(parameters, x, y):
    return (functional_call(model, parameters, (x,)) - y).pow(2).mean()


def adapted(parameters, x, y, qx, qy):
    for _ in range(2):
        slopes = grad(loss_of)(parameters, x, y)
        parameters = {name: p - 0.1 * slopes[name] for name, p in parameters.items()}
    return loss_of(parameters, qx, qy)


for step in range(5):
    phase = torch.rand(4, 1, 1) * 3.14
    x, qx = torch.rand(4, 10, 1) * 6, torch.rand(4, 10, 1) * 6
    parameters = dict(model.named_parameters())
    losses = vmap(adapted, in_dims=(None, 0, 0, 0, 0))(parameters, x, torch.sin(x + phase), qx, torch.sin(qx + phase))
    optimizer.zero_grad()
    losses.mean().backward()
    optimizer.step()
    print(step, round(losses.mean().item(), 4))
