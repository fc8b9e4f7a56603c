import copy

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class ConvNet(nn.Module):
    def __init__(self, channels=8, classes=3):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, channels, 3, padding=1), nn.BatchNorm2d(channels), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(channels, channels * 2, 3, padding=1), nn.BatchNorm2d(channels * 2), nn.ReLU(),
            nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Dropout(0.3))
        self.fc = nn.Linear(channels * 2, classes)

    def forward(self, x):
        return self.fc(self.body(x))


class ModelEMA:
    def __init__(self, model, decay=0.9):
        self.module = copy.deepcopy(model).eval()
        self.decay = decay
        for p in self.module.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for ema, live in zip(self.module.state_dict().values(), model.state_dict().values()):
            if ema.dtype.is_floating_point:
                ema.mul_(self.decay).add_(live, alpha=1 - self.decay)
            else:
                ema.copy_(live)


def blobs(n, seed):
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(3, (n,), generator=g)
    x = 0.7 * torch.randn(n, 1, 10, 10, generator=g)
    for i, c in enumerate(y.tolist()):
        x[i, 0, 3 * c:3 * c + 3, 2:8] += 1.2
    return TensorDataset(x, y)


def augment(x):
    return x + 0.1 * torch.randn_like(x)


class SemiSupervised:
    def __init__(self, model, lr=0.05, consistency=0.5):
        self.model, self.ema = model, ModelEMA(model)
        self.opt = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
        self.consistency = consistency

    def step(self, labelled, unlabelled):
        x, y = labelled
        logits = self.model(augment(x))
        student = F.log_softmax(self.model(augment(unlabelled)), dim=1)
        with torch.no_grad():
            teacher = F.softmax(self.ema.module(augment(unlabelled)), dim=1)
        loss = F.cross_entropy(logits, y) + self.consistency * F.kl_div(student, teacher, reduction="batchmean")
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.ema.update(self.model)
        return loss.item()

    def run(self, labelled_loader, unlabelled_loader, test_loader, epochs):
        for epoch in range(epochs):
            self.model.train()
            for batch, (u, _) in zip(labelled_loader, unlabelled_loader):
                loss = self.step(batch, u)
            self.model.eval()
            print(epoch, "loss %.3f acc %.3f ema acc %.3f" % (
                loss, evaluate(self.model, test_loader), evaluate(self.ema.module, test_loader)))


@torch.no_grad()
def evaluate(net, loader):
    correct = total = 0
    for x, y in loader:
        correct += (net(x).argmax(1) == y).sum().item()
        total += len(y)
    return correct / total


if __name__ == "__main__":
    torch.manual_seed(0)
    runner = SemiSupervised(ConvNet())
    runner.run(DataLoader(blobs(48, 0), batch_size=12, shuffle=True), DataLoader(blobs(96, 1), batch_size=24, shuffle=True),
               DataLoader(blobs(60, 2), batch_size=20), epochs=4)
