"""pytorch-optimizer: one small problem for each of several optimizers, SAM and Lookahead among them.

packages: pytorch-optimizer
"""
import pytorch_optimizer as po
import torch
from torch import nn

x = torch.randn(16, 4, generator=torch.Generator().manual_seed(0))
y = x.sum(1, keepdim=True)


def problem():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))


for name in ("Lion", "AdaBelief", "Lamb", "Ranger21", "Adan", "Prodigy", "ScheduleFreeAdamW", "Shampoo", "AdamP"):
    model = problem()
    options = {"num_iterations": 10} if name == "Ranger21" else {}
    optimizer = getattr(po, name)(model.parameters(), lr=1e-3, **options)
    if hasattr(optimizer, "train"):
        optimizer.train()
    for step in range(4):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
    print(name, round(loss.item(), 4))

model = problem()
optimizer = po.Lookahead(po.AdamP(model.parameters(), lr=1e-3), k=2)
for step in range(4):
    optimizer.zero_grad()
    nn.functional.mse_loss(model(x), y).backward()
    optimizer.step()

model = problem()
optimizer = po.SAM(model.parameters(), base_optimizer=po.AdamP, lr=1e-3)
for step in range(3):
    nn.functional.mse_loss(model(x), y).backward()
    optimizer.first_step(zero_grad=True)
    nn.functional.mse_loss(model(x), y).backward()
    optimizer.second_step(zero_grad=True)
