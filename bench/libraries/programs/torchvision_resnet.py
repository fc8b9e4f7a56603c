"""torchvision: a ResNet-18 with a new head, transforms v2 with mixup, an epoch of validation.

packages: torchvision
"""
import torch
import torchvision
from torch import nn
from torchvision.transforms import v2

torch.manual_seed(0)
model = torchvision.models.resnet18(weights=None)
model.fc = nn.Linear(model.fc.in_features, 3)
augment = v2.Compose([v2.RandomHorizontalFlip(), v2.ColorJitter(0.2, 0.2), v2.Normalize([0.5] * 3, [0.25] * 3)])
cut = v2.MixUp(num_classes=3, alpha=0.4)
x, y = torch.rand(12, 3, 32, 32), torch.arange(12) % 3
optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9, weight_decay=1e-4)
for epoch in range(2):
    model.train()
    for i in range(0, 12, 6):
        xb, yb = cut(augment(x[i:i + 6]), y[i:i + 6])
        loss = nn.functional.cross_entropy(model(xb), yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.inference_mode():
        print(epoch, round(loss.item(), 3), (model(x).argmax(1) == y).float().mean().item())
