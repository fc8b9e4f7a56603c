"""Stochastic weight averaging and an exponential average with torch.optim.swa_utils.

packages: torch
"""
import torch
from torch import nn
from torch.optim.swa_utils import SWALR, AveragedModel, get_ema_multi_avg_fn, update_bn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(32, 5)
y = x.sum(1, keepdim=True)
loader = DataLoader(TensorDataset(x, y), batch_size=8, shuffle=True)
model = nn.Sequential(nn.Linear(5, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 1))
averaged = AveragedModel(model)
moving = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.9))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
cosine = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 4)
constant = SWALR(optimizer, swa_lr=0.02)
for epoch in range(4):
    for xb, yb in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(xb), yb)
        loss.backward()
        optimizer.step()
        moving.update_parameters(model)
    if epoch >= 2:
        averaged.update_parameters(model)
        constant.step()
    else:
        cosine.step()
update_bn(loader, averaged)
averaged.eval()
with torch.no_grad():
    print(round(nn.functional.mse_loss(averaged(x), y).item(), 3))
