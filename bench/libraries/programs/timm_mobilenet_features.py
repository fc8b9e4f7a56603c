"""timm: features of a MobileNetV3 feed a small head; the backbone learns more slowly.

packages: timm
"""
import timm
import torch
from torch import nn

torch.manual_seed(0)
backbone = timm.create_model("mobilenetv3_small_050", pretrained=False, features_only=True, out_indices=(1, 2))
widths = backbone.feature_info.channels()


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = nn.ModuleList([nn.Conv2d(w, 8, 1) for w in widths])
        self.out = nn.Linear(8, 3)

    def forward(self, features):
        return self.out(sum(m(f).mean((2, 3)) for m, f in zip(self.mix, features)))


head = Head()
optimizer = torch.optim.SGD(
    [{"params": backbone.parameters(), "lr": 1e-3}, {"params": head.parameters(), "lr": 1e-2}], momentum=0.9, nesterov=True
)
x, y = torch.randn(8, 3, 64, 64), torch.arange(8) % 3
for step in range(4):
    loss = nn.functional.cross_entropy(head(backbone(x)), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, round(loss.item(), 3))
