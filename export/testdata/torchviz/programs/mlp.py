import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 1))
root = model(torch.randn(4, 8)).mean()
params = dict(model.named_parameters())
