"""torchvision: a frozen MobileNetV3 with a trained classifier; batch norm stays in eval mode.

packages: torchvision
"""
import torch
import torchvision
from torch import nn

torch.manual_seed(0)
model = torchvision.models.mobilenet_v3_small(weights=None, num_classes=4, dropout=0.1)
for p in model.features.parameters():
    p.requires_grad = False
model.train()
model.features.eval()
optimizer = torch.optim.Adam(model.classifier.parameters(), lr=1e-2)
x, y = torch.randn(8, 3, 32, 32), torch.arange(8) % 4
for step in range(5):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    print(step, round(loss.item(), 3))
