"""torchvision: a Faster R-CNN on a tiny backbone.

packages: torchvision
"""
import torch
from torch import nn
from torchvision.models.detection import FasterRCNN
from torchvision.models.detection.anchor_utils import AnchorGenerator
from torchvision.ops import MultiScaleRoIAlign

torch.manual_seed(0)
backbone = nn.Sequential(nn.Conv2d(3, 16, 3, 2, 1), nn.ReLU(), nn.Conv2d(16, 16, 3, 2, 1), nn.ReLU())
backbone.out_channels = 16
model = FasterRCNN(
    backbone, num_classes=2, min_size=64, max_size=64,
    rpn_anchor_generator=AnchorGenerator(sizes=((16, 32),), aspect_ratios=((1.0,),)),
    box_roi_pool=MultiScaleRoIAlign(featmap_names=["0"], output_size=3, sampling_ratio=1),
    rpn_batch_size_per_image=32, box_batch_size_per_image=32,
)
optimizer = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr=1e-3)
images = torch.rand(2, 3, 64, 64).unbind()
targets = [{"boxes": torch.tensor([[10.0, 10.0, 30.0, 40.0]]), "labels": torch.tensor([1])} for _ in images]
for step in range(3):
    losses = model(images, targets)
    optimizer.zero_grad()
    sum(losses.values()).backward()
    optimizer.step()
    print(step, {k: round(v.item(), 3) for k, v in losses.items()})
