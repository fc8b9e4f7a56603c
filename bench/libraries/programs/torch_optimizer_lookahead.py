"""torch-optimizer, schedulefree and lion-pytorch: wrappers and optimizers with modes of their own.

packages: torch-optimizer, schedulefree, lion-pytorch
"""
import schedulefree
import torch
import torch_optimizer
from lion_pytorch import Lion
from torch import nn

x = torch.randn(16, 4, generator=torch.Generator().manual_seed(0))
y = x.prod(1, keepdim=True)


def problem():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(4, 8), nn.SiLU(), nn.Linear(8, 1))


def fit(model, optimizer):
    for step in range(4):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
    return round(loss.item(), 4)


model = problem()
print("Lookahead", fit(model, torch_optimizer.Lookahead(torch_optimizer.RAdam(model.parameters(), lr=1e-2), k=2)))
for kind in (torch_optimizer.DiffGrad, torch_optimizer.NovoGrad, torch_optimizer.Yogi, torch_optimizer.SGDW):
    model = problem()
    print(kind.__name__, fit(model, kind(model.parameters(), lr=1e-2)))
model = problem()
print("Lion", fit(model, Lion(model.parameters(), lr=1e-3)))
model = problem()
optimizer = schedulefree.AdamWScheduleFree(model.parameters(), lr=1e-2)
optimizer.train()
print("ScheduleFree", fit(model, optimizer))
optimizer.eval()
with torch.no_grad():
    print(round(nn.functional.mse_loss(model(x), y).item(), 4))
