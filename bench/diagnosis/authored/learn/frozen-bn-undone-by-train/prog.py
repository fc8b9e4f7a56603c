import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class BasicBlock(nn.Module):
    def __init__(self, cin, cout, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(cin, cout, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(cout)
        self.conv2 = nn.Conv2d(cout, cout, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(cout)
        self.short = nn.Conv2d(cin, cout, 1, stride, bias=False) if (stride != 1 or cin != cout) else nn.Identity()

    def forward(self, x):
        out = F.relu(self.bn1(self.conv1(x)))
        return F.relu(self.bn2(self.conv2(out)) + self.short(x))


class MiniResNet(nn.Module):
    def __init__(self, classes=4):
        super().__init__()
        self.layers = nn.Sequential(BasicBlock(3, 8), BasicBlock(8, 16, 2))
        self.fc = nn.Linear(16, classes)

    def forward_features(self, x):
        return self.layers(x).mean((2, 3))

    def forward(self, x):
        return self.fc(self.forward_features(x))


class CounterModel(nn.Module):
    """Regresses the number of objects from frozen features."""

    def __init__(self, backbone):
        super().__init__()
        self.backbone = backbone
        self.freeze_backbone()
        self.regressor = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 1))

    def freeze_backbone(self):
        for p in self.backbone.parameters():
            p.requires_grad_(False)
        self.backbone.eval()

    def forward(self, x):
        return self.regressor(self.backbone.forward_features(x)).squeeze(1)


def colour_patches(n):
    y = torch.randint(4, (n,))
    palette = torch.tensor([[1.0, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0]])
    return palette[y][:, :, None, None] + 0.5 * torch.randn(n, 3, 12, 12), y


def counting_scenes(n, size=12):
    images, counts = 0.2 * torch.randn(n, 3, size, size) - 0.5, torch.zeros(n)
    for i in range(n):
        k = int(torch.randint(1, 6, ()))
        for _ in range(k):
            r, c = torch.randint(0, size - 2, (2,)).tolist()
            images[i, :, r:r + 2, c:c + 2] += 1.5
        counts[i] = k
    return images, counts


def fit(model, data, loss_fn, epochs, lr, tag):
    loader = DataLoader(TensorDataset(*data), batch_size=16, shuffle=True)
    optimizer = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr=lr)
    for epoch in range(epochs):
        model.train()
        total = 0.0
        for x, y in loader:
            optimizer.zero_grad()
            loss = loss_fn(model(x), y)
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(tag, epoch, "%.4f" % (total / len(loader)))


torch.manual_seed(6)
resnet = MiniResNet()
fit(resnet, colour_patches(96), F.cross_entropy, 2, 3e-3, "pretrain")
reference = {k: v.clone() for k, v in resnet.state_dict().items()}

counter = CounterModel(resnet)
scenes = counting_scenes(96)
fit(counter, scenes, F.smooth_l1_loss, 4, 5e-3, "count")

counter.eval()
with torch.no_grad():
    error = (counter(scenes[0]) - scenes[1]).abs().mean()
print("mean absolute error %.3f" % error)
