"""torchvision: a RetinaNet on a tiny backbone, with one image that has no box.

packages: torchvision
"""
import torch
from torch import nn
from torchvision.models.detection import RetinaNet
from torchvision.models.detection.anchor_utils import AnchorGenerator

torch.manual_seed(0)
backbone = nn.Sequential(nn.Conv2d(3, 16, 3, 2, 1), nn.ReLU(inplace=True), nn.Conv2d(16, 16, 3, 2, 1), nn.ReLU(inplace=True))
backbone.out_channels = 16
anchors = AnchorGenerator(sizes=((16, 32),), aspect_ratios=((1.0,),))
model = RetinaNet(backbone, num_classes=2, anchor_generator=anchors, min_size=64, max_size=64)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
images = [torch.rand(3, 64, 64), torch.rand(3, 64, 64)]
targets = [
    {"boxes": torch.tensor([[8.0, 8.0, 32.0, 40.0]]), "labels": torch.tensor([1])},
    {"boxes": torch.zeros(0, 4), "labels": torch.zeros(0, dtype=torch.long)},
]
model.train()
for step in range(4):
    losses = model(images, targets)
    loss = sum(losses.values())
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 5.0)
    optimizer.step()
    print(step, {k: round(v.item(), 3) for k, v in losses.items()})
model.eval()
with torch.no_grad():
    print(len(model(images)[0]["boxes"]))
