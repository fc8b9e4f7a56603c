import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset


class BinaryConnect:
    """Keeps full-precision copies of the weights of all inner layers."""

    def __init__(self, model):
        layers = [m for m in model.modules() if isinstance(m, (nn.Conv2d, nn.Linear))]
        self.targets = [layer.weight for layer in layers[1:-1]]
        self.saved = [w.data.clone() for w in self.targets]

    def binarize(self):
        for keep, w in zip(self.saved, self.targets):
            keep.copy_(w.data)
            w.data.copy_(w.data.sign() * w.data.abs().mean())

    def restore(self):
        for keep, w in zip(self.saved, self.targets):
            w.data.copy_(keep)

    def clip(self):
        for w in self.targets:
            w.data.clamp_(-1.0, 1.0)


class GlyphNet(nn.Module):
    def __init__(self, classes=4):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 8, 3, padding=1)
        self.conv2 = nn.Conv2d(8, 16, 3, padding=1, bias=False)
        self.bn1, self.bn2 = nn.BatchNorm2d(8), nn.BatchNorm2d(16)
        self.fc1 = nn.Linear(16 * 9, 32, bias=False)
        self.bn3 = nn.BatchNorm1d(32)
        self.fc2 = nn.Linear(32, classes)

    def forward(self, x):
        x = F.max_pool2d(F.hardtanh(self.bn1(self.conv1(x))), 2)
        x = F.max_pool2d(F.hardtanh(self.bn2(self.conv2(x))), 2)
        x = F.hardtanh(self.bn3(self.fc1(x.flatten(1))))
        return self.fc2(x)


class BinaryTrainer:
    def __init__(self, net, lr=5e-3):
        self.net = net
        self.binary = BinaryConnect(net)
        self.optimizer = torch.optim.Adam(net.parameters(), lr=lr)
        self.scheduler = torch.optim.lr_scheduler.StepLR(self.optimizer, 2, 0.5)

    def forward_loss(self, x, y):
        self.binary.binarize()
        logits = self.net(x)
        loss = F.cross_entropy(logits, y)
        self.binary.restore()
        return loss, (logits.argmax(1) == y).float().mean().item()

    def train_batch(self, x, y):
        self.net.train()
        loss, acc = self.forward_loss(x, y)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.binary.clip()
        return loss.item(), acc

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            rows = [self.train_batch(x, y) for x, y in loader]
            self.scheduler.step()
            loss, acc = (sum(r[k] for r in rows) / len(rows) for k in range(2))
            print(f"epoch {epoch} loss {loss:.4f} acc {acc:.3f}")

    def test(self, x, y):
        self.net.eval()
        with torch.no_grad():
            loss, acc = self.forward_loss(x, y)
        return loss.item(), acc


def glyphs(n, size=12):
    y = torch.arange(n) % 4
    x = 0.5 * torch.randn(n, 1, size, size)
    for i, c in enumerate(y.tolist()):
        if c == 0:
            x[i, 0, size // 2, 2:-2] += 1.5
        elif c == 1:
            x[i, 0, 2:-2, size // 2] += 1.5
        elif c == 2:
            x[i, 0] += 1.5 * torch.eye(size)
        else:
            x[i, 0] += 1.5 * torch.eye(size).flip(0)
    return x, y


torch.manual_seed(33)
images, labels = glyphs(128)
net = GlyphNet()
trainer = BinaryTrainer(net)
trainer.fit(DataLoader(TensorDataset(images[:96], labels[:96]), batch_size=16, shuffle=True), epochs=4)
print("test", trainer.test(images[96:], labels[96:]))
