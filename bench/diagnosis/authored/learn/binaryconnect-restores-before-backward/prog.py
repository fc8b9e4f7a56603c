import torch
import torch.nn as nn
import torch.nn.functional as F


class BinOp:
    def __init__(self, model):
        self.targets = [m.weight for m in model.modules() if isinstance(m, (nn.Conv2d, nn.Linear))][1:-1]
        self.saved = [w.data.clone() for w in self.targets]

    def save_params(self):
        for saved, w in zip(self.saved, self.targets):
            saved.copy_(w.data)

    def binarization(self):
        self.save_params()
        for w in self.targets:
            dims = tuple(range(1, w.dim()))
            alpha = w.data.abs().mean(dim=dims, keepdim=True)
            w.data.copy_(w.data.sign() * alpha)

    def restore(self):
        for saved, w in zip(self.saved, self.targets):
            w.data.copy_(saved)

    def clip(self):
        for w in self.targets:
            w.data.clamp_(-1, 1)


class BinaryNet(nn.Module):
    def __init__(self, ch=8, classes=4):
        super().__init__()
        self.conv1 = nn.Conv2d(1, ch, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(ch)
        self.conv2 = nn.Conv2d(ch, ch, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(ch)
        self.fc1 = nn.Linear(ch * 9, 32, bias=False)
        self.bn3 = nn.BatchNorm1d(32)
        self.fc2 = nn.Linear(32, classes)

    def forward(self, x):
        x = F.max_pool2d(F.hardtanh(self.bn1(self.conv1(x))), 2)
        x = F.max_pool2d(F.hardtanh(self.bn2(self.conv2(x))), 2)
        x = F.hardtanh(self.bn3(self.fc1(x.flatten(1))))
        return self.fc2(x)


def quadrants(n, size=12):
    y = torch.randint(4, (n,))
    x = 0.5 * torch.randn(n, 1, size, size)
    half = size // 2
    for i, k in enumerate(y.tolist()):
        r, c = (k // 2) * half, (k % 2) * half
        x[i, 0, r:r + half, c:c + half] += torch.rand(half, half)
    return x, y


def train_step(model, bin_op, optimizer, x, y):
    bin_op.binarization()
    output = model(x)
    bin_op.restore()
    loss = F.cross_entropy(output, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    bin_op.clip()
    return loss.item()


def test(model, bin_op, x, y):
    model.eval()
    bin_op.binarization()
    with torch.no_grad():
        correct = (model(x).argmax(1) == y).sum().item()
    bin_op.restore()
    return correct / len(y)


def adjust_learning_rate(optimizer, epoch, base=5e-3):
    lr = base * (0.5 ** (epoch // 3))
    for group in optimizer.param_groups:
        group["lr"] = lr
    return lr


torch.manual_seed(1)
train_x, train_y = quadrants(160)
test_x, test_y = quadrants(64)
model = BinaryNet()
bin_op = BinOp(model)
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3, weight_decay=1e-5)
for epoch in range(5):
    lr = adjust_learning_rate(optimizer, epoch)
    model.train()
    losses = [train_step(model, bin_op, optimizer, train_x[i], train_y[i]) for i in torch.randperm(160).split(32)]
    print(f"epoch {epoch} lr {lr:.4f} loss {sum(losses) / len(losses):.4f} test {test(model, bin_op, test_x, test_y):.3f}")
