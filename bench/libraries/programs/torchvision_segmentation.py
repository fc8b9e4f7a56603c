"""torchvision: an LR-ASPP segmentation model trained on squares.

packages: torchvision
"""
import torch
import torchvision
from torch import nn

torch.manual_seed(0)
model = torchvision.models.segmentation.lraspp_mobilenet_v3_large(weights=None, weights_backbone=None, num_classes=2)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
x = torch.randn(4, 3, 32, 32) * 0.1
y = torch.zeros(4, 32, 32, dtype=torch.long)
y[:, 8:20, 8:20] = 1
x += y[:, None]
for step in range(3):
    out = model(x)["out"]
    loss = nn.functional.cross_entropy(out, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, round(loss.item(), 3))
