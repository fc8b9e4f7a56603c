import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(
    nn.Conv2d(1, 2, 3, stride=2, padding=1),
    nn.BatchNorm2d(2),
    nn.GELU(),
    nn.MaxPool2d(2),
    nn.Flatten(),
    nn.Linear(2, 3),
)
root = nn.functional.cross_entropy(model(torch.randn(2, 1, 4, 4)), torch.tensor([0, 2]))
params = dict(model.named_parameters())
