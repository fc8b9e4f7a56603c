import math

import torch
from torch import nn
from torch.nn import functional as F


class Backbone(nn.Module):
    def __init__(self, ch):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, ch, 3, stride=2, padding=1), nn.GroupNorm(4, ch), nn.ReLU(),
            nn.Conv2d(ch, ch, 3, stride=2, padding=1), nn.GroupNorm(4, ch), nn.ReLU(),
        )

    def forward(self, x):
        return self.body(x)


class FCOSHead(nn.Module):
    def __init__(self, ch, num_classes, prior=0.01):
        super().__init__()
        self.cls_tower = nn.Sequential(nn.Conv2d(ch, ch, 3, padding=1), nn.ReLU())
        self.box_tower = nn.Sequential(nn.Conv2d(ch, ch, 3, padding=1), nn.ReLU())
        self.cls_logits = nn.Conv2d(ch, num_classes, 3, padding=1)
        self.bbox_pred = nn.Conv2d(ch, 4, 3, padding=1)
        self.init_heads(prior)

    def init_heads(self, prior):
        for module in self.modules():
            if isinstance(module, nn.Conv2d):
                nn.init.normal_(module.weight, std=0.01)
                nn.init.zeros_(module.bias)
        bias_value = -math.log((1 - prior) / prior)
        nn.init.constant_(self.cls_logits.bias, bias_value)
        nn.init.constant_(self.bbox_pred.bias, 1.0)

    def forward(self, feature):
        cls = self.cls_logits(self.cls_tower(feature))
        box = F.relu(self.bbox_pred(self.box_tower(feature)))
        return cls, box


def focal_loss(logits, target, alpha=0.25, gamma=2.0):
    p = torch.sigmoid(logits)
    ce = F.binary_cross_entropy_with_logits(logits, target, reduction="none")
    p_t = p * target + (1 - p) * (1 - target)
    weight = alpha * target + (1 - alpha) * (1 - target)
    return (weight * (1 - p_t) ** gamma * ce).sum() / target.sum().clamp(min=1)


def make_scene(batch, size=32, stride=4, num_classes=2):
    cells = size // stride
    images = 0.1 * torch.randn(batch, 1, size, size)
    cls = torch.zeros(batch, num_classes, cells, cells)
    box = torch.zeros(batch, 4, cells, cells)
    for b in range(batch):
        x0, y0 = torch.randint(0, size // 2, (2,)).tolist()
        w, h = torch.randint(8, size // 2, (2,)).tolist()
        label = int(torch.randint(num_classes, ()))
        images[b, 0, y0:y0 + h, x0:x0 + w] += 1.0 if label else -1.0
        for i in range(cells):
            for j in range(cells):
                cx, cy = j * stride + stride / 2, i * stride + stride / 2
                sides = [cx - x0, cy - y0, x0 + w - cx, y0 + h - cy]
                if min(sides) > 0:
                    cls[b, label, i, j] = 1
                    box[b, :, i, j] = torch.tensor(sides) / stride
    return images, cls, box


def box_loss(pred, target, positive):
    return F.smooth_l1_loss(pred * positive, target * positive, reduction="sum") / positive.sum().clamp(min=1) / 4


def train(steps=8):
    backbone, head = Backbone(16), FCOSHead(16, 2)
    params = list(backbone.parameters()) + list(head.parameters())
    optimizer = torch.optim.Adam(params, lr=2e-3)
    for step in range(steps):
        images, cls_t, box_t = make_scene(8)
        positive = cls_t.amax(dim=1, keepdim=True)
        cls, box = head(backbone(images))
        losses = {"cls": focal_loss(cls, cls_t), "box": box_loss(box, box_t, positive)}
        optimizer.zero_grad()
        sum(losses.values()).backward()
        nn.utils.clip_grad_norm_(params, 10.0)
        optimizer.step()
        print(step, {k: round(v.item(), 4) for k, v in losses.items()})
    return backbone, head


torch.manual_seed(17)
backbone, head = train()
