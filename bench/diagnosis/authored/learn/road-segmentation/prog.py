import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset


def binarize(probs, threshold=0.5):
    return (probs > threshold).float()


def overlap(pred, target, smooth=1.0):
    pred, target = pred.flatten(1), target.flatten(1)
    inter = (pred * target).sum(dim=1)
    return (2 * inter + smooth) / (pred.sum(dim=1) + target.sum(dim=1) + smooth)


class DiceLoss(nn.Module):
    def __init__(self, smooth=1.0):
        super().__init__()
        self.smooth = smooth

    def forward(self, logits, target):
        pred = binarize(torch.sigmoid(logits))
        return 1 - overlap(pred, target, self.smooth).mean()


class CompoundLoss(nn.Module):
    def __init__(self, weights):
        super().__init__()
        self.parts = nn.ModuleDict({"bce": nn.BCEWithLogitsLoss(), "dice": DiceLoss()})
        self.weights = weights

    def forward(self, logits, target):
        values = {name: part(logits, target) for name, part in self.parts.items()}
        total = sum(self.weights[name] * value for name, value in values.items())
        return total, {name: value.item() for name, value in values.items()}


class DoubleConv(nn.Sequential):
    def __init__(self, cin, cout):
        super().__init__(
            nn.Conv2d(cin, cout, 3, padding=1), nn.BatchNorm2d(cout), nn.ReLU(inplace=True),
            nn.Conv2d(cout, cout, 3, padding=1), nn.BatchNorm2d(cout), nn.ReLU(inplace=True),
        )


class UNet(nn.Module):
    def __init__(self, base=6):
        super().__init__()
        self.inc, self.down = DoubleConv(3, base), DoubleConv(base, 2 * base)
        self.up = nn.ConvTranspose2d(2 * base, base, 2, stride=2)
        self.fuse = DoubleConv(2 * base, base)
        self.outc = nn.Conv2d(base, 1, 1)

    def forward(self, x):
        skip = self.inc(x)
        y = self.down(F.max_pool2d(skip, 2))
        y = self.fuse(torch.cat([skip, self.up(y)], dim=1))
        return self.outc(y)


def aerial_tiles(n, size=16):
    masks = torch.zeros(n, 1, size, size)
    for i in range(n):
        col = int(torch.randint(2, size - 2, (1,)))
        masks[i, 0, :, col - 1:col + 1] = 1.0
        if i % 2:
            masks[i, 0] = masks[i, 0].t().clone()
    tiles = 0.5 + 0.3 * torch.randn(n, 3, size, size)
    return tiles - 0.4 * masks, masks


def evaluate(model, loader):
    model.eval()
    scores = []
    with torch.no_grad():
        for x, m in loader:
            scores.append(overlap(binarize(torch.sigmoid(model(x))), m))
    return torch.cat(scores).mean().item()


torch.manual_seed(5)
tiles, masks = aerial_tiles(60)
train = DataLoader(TensorDataset(tiles[:48], masks[:48]), batch_size=12, shuffle=True)
val = DataLoader(TensorDataset(tiles[48:], masks[48:]), batch_size=12)
model = UNet()
criterion = CompoundLoss({"bce": 0.3, "dice": 1.0})
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(3):
    model.train()
    for x, m in train:
        optimizer.zero_grad()
        loss, parts = criterion(model(x), m)
        loss.backward()
        optimizer.step()
    print(epoch, {k: round(v, 4) for k, v in parts.items()}, "val dice", round(evaluate(model, val), 3))
