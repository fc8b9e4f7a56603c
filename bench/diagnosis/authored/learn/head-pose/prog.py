import math

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset


def rotation_from_6d(r6):
    a, b = r6[:, :3], r6[:, 3:]
    x = F.normalize(a, dim=1)
    y = F.normalize(b - (x * b).sum(dim=1, keepdim=True) * x, dim=1)
    return torch.stack([x, y, torch.cross(x, y, dim=1)], dim=2)


def yaw_rotation(angle):
    c, s = angle.cos(), angle.sin()
    zero, one = torch.zeros_like(angle), torch.ones_like(angle)
    rows = [c, -s, zero, s, c, zero, zero, zero, one]
    return torch.stack(rows, dim=1).view(-1, 3, 3)


class GeodesicLoss(nn.Module):
    def __init__(self, reduction="mean"):
        super().__init__()
        self.reduction = reduction

    def forward(self, pred, target):
        m = torch.bmm(pred, target.transpose(1, 2))
        cos = (m.diagonal(dim1=1, dim2=2).sum(dim=1) - 1) / 2
        theta = torch.acos(cos.clamp(-1.0, 1.0))
        return theta.mean() if self.reduction == "mean" else theta


class PoseNet(nn.Module):
    """Predicts a residual rotation, zero-initialised so that it starts at the identity."""

    def __init__(self, points=10):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(3 * points, 48), nn.SiLU(), nn.Linear(48, 48), nn.SiLU())
        self.head = nn.Linear(48, 6)
        nn.init.zeros_(self.head.weight)
        nn.init.zeros_(self.head.bias)
        self.register_buffer("identity", torch.tensor([1.0, 0, 0, 0, 1.0, 0]))

    def forward(self, landmarks):
        return rotation_from_6d(self.identity + self.head(self.backbone(landmarks.flatten(1))))


class LandmarkSource:
    def __init__(self, points=10, frontal=0.2):
        self.template = torch.randn(points, 3)
        self.frontal = frontal

    def sample(self, n):
        angle = (torch.rand(n) - 0.5) * math.pi
        angle[torch.rand(n) < self.frontal] = 0.0
        rot = yaw_rotation(angle)
        pts = self.template.expand(n, -1, -1) @ rot.transpose(1, 2)
        return pts + 0.01 * torch.randn_like(pts), rot


def mean_error_degrees(model, landmarks, rot):
    model.eval()
    with torch.no_grad():
        err = GeodesicLoss("none")(model(landmarks), rot)
    return math.degrees(err.mean().item())


def main():
    torch.manual_seed(13)
    source = LandmarkSource()
    train, test = source.sample(160), source.sample(40)
    loader = DataLoader(TensorDataset(*train), batch_size=32, shuffle=True)
    model, criterion = PoseNet(), GeodesicLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9)
    for epoch in range(4):
        model.train()
        for landmarks, rot in loader:
            loss = criterion(model(landmarks), rot)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        scheduler.step()
        print(f"epoch {epoch} loss {loss.item():.4f} test error {mean_error_degrees(model, *test):.2f} deg")


if __name__ == "__main__":
    main()
