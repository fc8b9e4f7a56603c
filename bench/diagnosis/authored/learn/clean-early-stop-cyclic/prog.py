import copy

import torch
from torch import nn
from torch.nn import functional as F
from torch.optim.lr_scheduler import CyclicLR
from torch.utils.data import DataLoader, TensorDataset


class Stem(nn.Module):
    """Feature extractor that stands for a pretrained one."""

    def __init__(self, ch=8):
        super().__init__()
        self.conv = nn.Conv2d(3, ch, 3, padding=1)
        self.bn = nn.BatchNorm2d(ch)

    def forward(self, x):
        return F.relu(self.bn(self.conv(x)), inplace=True)


class TransferNet(nn.Module):
    def __init__(self, stem, ch=8, classes=3):
        super().__init__()
        self.stem = stem
        self.conv = nn.Conv2d(ch, 16, 3, stride=2, padding=1)
        self.bn = nn.BatchNorm2d(16)
        self.fc = nn.Linear(16, classes)
        for p in self.stem.parameters():
            p.requires_grad = False

    def train(self, mode=True):
        super().train(mode)
        self.stem.eval()
        return self

    def forward(self, x):
        with torch.no_grad():
            x = self.stem(x)
        x = F.relu(self.bn(self.conv(x)))
        return self.fc(F.adaptive_avg_pool2d(x, 1).flatten(1))


class EarlyStopper:
    def __init__(self, patience):
        self.patience, self.counter = patience, 0
        self.best, self.state = float("inf"), None

    def should_stop(self, value, model):
        if value < self.best - 1e-4:
            self.best, self.counter = value, 0
            self.state = copy.deepcopy(model.state_dict())
        else:
            self.counter += 1
        return self.counter >= self.patience


def run_epoch(model, loader, optimizer=None, scheduler=None):
    training = optimizer is not None
    model.train(training)
    total, correct, n = 0.0, 0, 0
    with torch.set_grad_enabled(training):
        for x, y in loader:
            logits = model(x)
            loss = F.cross_entropy(logits, y, label_smoothing=0.05)
            if training:
                for p in model.parameters():
                    p.grad = None
                loss.backward()
                optimizer.step()
                scheduler.step()
            total += float(loss) * len(y)
            correct += int(logits.argmax(dim=1).eq(y).sum())
            n += len(y)
    return total / n, correct / n


def textures(n, size=10):
    y = torch.arange(n) % 3
    x = 0.6 * torch.randn(n, 3, size, size)
    x[y == 0, :, ::2] += 1.0
    x[y == 1, :, :, ::2] += 1.0
    x[y == 2] += 0.5
    return x, y


def main():
    torch.manual_seed(56)
    x, y = textures(150)
    train = DataLoader(TensorDataset(x[:120], y[:120]), batch_size=20, shuffle=True)
    val = DataLoader(TensorDataset(x[120:], y[120:]), batch_size=30)
    model = TransferNet(Stem())
    trainable = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.SGD(trainable, lr=0.01, momentum=0.9)
    scheduler = CyclicLR(optimizer, base_lr=0.01, max_lr=0.1, step_size_up=2 * len(train), mode="triangular2")
    stopper = EarlyStopper(patience=3)
    for epoch in range(10):
        train_loss, _ = run_epoch(model, train, optimizer, scheduler)
        val_loss, val_acc = run_epoch(model, val)
        print(f"{epoch} {train_loss:.4f} {val_loss:.4f} {val_acc:.2f} lr {scheduler.get_last_lr()[0]:.4f}")
        if stopper.should_stop(val_loss, model):
            break
    model.load_state_dict(stopper.state)
    print("restored", round(run_epoch(model, val)[0], 4), "best", round(stopper.best, 4))


main()
