import torch
from torch import nn, optim
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class VesselDataset(Dataset):
    """Thin bright curves on a noisy background."""

    def __init__(self, n=48, size=20, generator=None):
        self.images = 0.4 * torch.randn(n, 1, size, size, generator=generator)
        self.masks = torch.zeros(n, 1, size, size)
        columns = torch.arange(size)
        for i in range(n):
            a, b, c = torch.rand(3, generator=generator).tolist()
            rows = (size * (0.2 + 0.6 * a) + 3 * torch.sin(columns * (0.2 + 0.4 * b) + 6 * c)).long().clamp(0, size - 1)
            self.masks[i, 0, rows, columns] = 1.0
        self.images += self.masks

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        return {"image": self.images[index], "mask": self.masks[index]}


class AttentionGate(nn.Module):
    def __init__(self, ch):
        super().__init__()
        self.gate = nn.Conv2d(ch, 1, 1)

    def forward(self, x):
        return x * torch.sigmoid(self.gate(x))


class SegNet(nn.Module):
    def __init__(self, ch=8):
        super().__init__()
        self.enc = nn.Sequential(nn.Conv2d(1, ch, 3, padding=1), nn.ReLU(), nn.Conv2d(ch, ch, 3, padding=1), nn.ReLU())
        self.mid = nn.Sequential(nn.Conv2d(ch, ch, 3, padding=2, dilation=2), nn.ReLU())
        self.gate = AttentionGate(ch)
        self.out = nn.Conv2d(2 * ch, 1, 1)

    def forward(self, x):
        e = self.enc(x)
        m = F.interpolate(self.mid(F.avg_pool2d(e, 2)), scale_factor=2, mode="nearest")
        return self.out(torch.cat([self.gate(e), m], dim=1))


def soft_dice(logits, target, smooth=1.0):
    probs = torch.sigmoid(logits)
    inter = (probs * target).sum(dim=(1, 2, 3))
    total = probs.sum(dim=(1, 2, 3)) + target.sum(dim=(1, 2, 3))
    return (2 * inter + smooth) / (total + smooth)


class BCEDiceLoss(nn.Module):
    def __init__(self, bce_weight=0.5):
        super().__init__()
        self.bce_weight = bce_weight
        self.last = {}

    def forward(self, logits, target):
        bce = F.binary_cross_entropy_with_logits(logits, target)
        dice = 1 - soft_dice(logits, target).mean()
        self.last = {"bce": bce.item(), "dice": dice.item()}
        return self.bce_weight * bce + (1 - self.bce_weight) * dice


def train_one_epoch(model, loader, criterion, optimizer):
    model.train()
    totals = {"bce": 0.0, "dice": 0.0}
    for batch in loader:
        optimizer.zero_grad()
        loss = criterion(model(batch["image"]), batch["mask"])
        loss.backward()
        optimizer.step()
        for key in totals:
            totals[key] += criterion.last[key] / len(loader)
    return totals


if __name__ == "__main__":
    torch.manual_seed(100)
    loader = DataLoader(VesselDataset(), batch_size=8, shuffle=True)
    model, criterion = SegNet(), BCEDiceLoss()
    optimizer = optim.RMSprop(model.parameters(), lr=3e-3)
    for epoch in range(5):
        stats = train_one_epoch(model, loader, criterion, optimizer)
        print("epoch {} bce {bce:.4f} dice {dice:.4f}".format(epoch, **stats))
