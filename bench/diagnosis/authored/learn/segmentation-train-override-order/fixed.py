import torch
import torch.nn as nn
import torch.nn.functional as F


def conv_bn(cin, cout, stride=1):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, stride, 1, bias=False), nn.BatchNorm2d(cout), nn.ReLU())


class Backbone(nn.Module):
    def __init__(self, frozen_stages=1):
        super().__init__()
        self.stem = conv_bn(3, 8)
        self.stage1 = conv_bn(8, 12, 2)
        self.stage2 = conv_bn(12, 16, 2)
        self.frozen_stages = frozen_stages
        self._freeze_stages()

    def _freeze_stages(self):
        if self.frozen_stages >= 0:
            self.stem.eval()
            for p in self.stem.parameters():
                p.requires_grad = False
        for i in range(1, self.frozen_stages + 1):
            stage = getattr(self, f"stage{i}")
            stage.eval()
            for p in stage.parameters():
                p.requires_grad = False

    def train(self, mode=True):
        super().train(mode)
        self._freeze_stages()
        return self

    def forward(self, x):
        c0 = self.stem(x)
        c1 = self.stage1(c0)
        return c0, c1, self.stage2(c1)


class Decoder(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.lateral = nn.ModuleList([nn.Conv2d(c, 8, 1) for c in (8, 12, 16)])
        self.smooth = conv_bn(8, 8)
        self.classify = nn.Conv2d(8, classes, 1)

    def forward(self, features):
        out = 0
        for conv, f in zip(self.lateral, features):
            out = out + F.interpolate(conv(f), size=features[0].shape[2:], mode="nearest")
        return self.classify(self.smooth(out))


class Segmentor(nn.Module):
    def __init__(self, classes=3):
        super().__init__()
        self.backbone, self.decoder = Backbone(), Decoder(classes)

    def forward(self, x):
        return self.decoder(self.backbone(x))


def scenes(n, size=16):
    masks = torch.zeros(n, size, size, dtype=torch.long)
    for i in range(n):
        y, x = torch.randint(0, size - 6, (2,)).tolist()
        masks[i, y:y + 6, x:x + 6] = 1 + i % 2
    images = torch.randn(n, 3, size, size) * 0.3 + 2.0
    images[:, 0] += (masks == 1).float()
    images[:, 2] -= (masks == 2).float()
    return images, masks


def mean_iou(pred, target, classes=3):
    ious = []
    for c in range(classes):
        inter = ((pred == c) & (target == c)).sum().item()
        union = ((pred == c) | (target == c)).sum().item()
        ious.append(inter / max(union, 1))
    return sum(ious) / classes


def train(model, images, masks, iterations, log_interval=4):
    params = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.SGD(params, lr=0.05, momentum=0.9, weight_decay=1e-4)
    for it in range(iterations):
        model.train()
        idx = torch.randint(len(images), (6,))
        loss = F.cross_entropy(model(images[idx]), masks[idx])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if (it + 1) % log_interval == 0:
            model.eval()
            with torch.no_grad():
                miou = mean_iou(model(images[-8:]).argmax(1), masks[-8:])
            print("iter %d loss %.4f mIoU %.3f" % (it + 1, loss.item(), miou))


if __name__ == "__main__":
    torch.manual_seed(6)
    images, masks = scenes(32)
    model = Segmentor()
    stem_stats = model.backbone.stem[1].running_mean.clone()
    train(model, images, masks, iterations=12)
    print("stem statistics moved by %.3f" % (model.backbone.stem[1].running_mean - stem_stats).abs().max().item())
