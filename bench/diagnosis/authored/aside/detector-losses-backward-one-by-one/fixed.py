import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Detector(nn.Module):
    def __init__(self, classes=3, width=12):
        super().__init__()
        self.backbone = nn.Sequential(
            nn.Conv2d(1, width, 3, 2, 1), nn.ReLU(),
            nn.Conv2d(width, width, 3, 2, 1), nn.ReLU(), nn.Flatten(),
        )
        self.cls = nn.Linear(width * 9, classes)
        self.box = nn.Linear(width * 9, 4)

    def forward(self, x):
        f = self.backbone(x)
        return {"logits": self.cls(f), "box": torch.sigmoid(self.box(f))}


class Criterion:
    def __init__(self):
        self.classification, self.regression = nn.CrossEntropyLoss(), nn.SmoothL1Loss()

    def __call__(self, out, label, box):
        return {
            "cls": self.classification(out["logits"], label),
            "box": self.regression(out["box"], box),
        }


def scenes(n, size=12):
    label = torch.randint(0, 3, (n,))
    corner = torch.randint(0, size - 4, (n, 2))
    image = 0.1 * torch.randn(n, 1, size, size)
    box = torch.zeros(n, 4)
    for i in range(n):
        r, c = corner[i].tolist()
        side = 2 + int(label[i])
        image[i, 0, r:r + side, c:c + side] += 1
        box[i] = torch.tensor([r, c, r + side, c + side]) / size
    return TensorDataset(image, label, box)


class Hooked:
    """Averages of named numbers."""

    def __init__(self):
        self.sums, self.count = {}, 0

    def update(self, losses):
        self.count += 1
        for name, value in losses.items():
            self.sums[name] = self.sums.get(name, 0.0) + value.item()

    def __str__(self):
        return " ".join(f"{name} {value / self.count:.4f}" for name, value in self.sums.items())


def train(model, loader, epochs, lr=3e-3):
    criterion = Criterion()
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    for epoch in range(epochs):
        meter = Hooked()
        for image, label, box in loader:
            losses = criterion(model(image), label, box)
            optimizer.zero_grad()
            sum(losses.values()).backward()
            optimizer.step()
            meter.update(losses)
        print(f"epoch {epoch} {meter}")


if __name__ == "__main__":
    torch.manual_seed(61)
    train(Detector(), DataLoader(scenes(64), batch_size=8, shuffle=True), epochs=2)
