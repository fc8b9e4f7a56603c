import copy
import math

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset


class WideBlock(nn.Module):
    def __init__(self, width, p=0.1):
        super().__init__()
        self.norm, self.fc = nn.BatchNorm1d(width), nn.Linear(width, width)
        self.drop = nn.Dropout(p)

    def forward(self, x):
        return x + self.drop(F.relu(self.fc(self.norm(x)), inplace=True))


class Student(nn.Module):
    def __init__(self, inp=2, width=32, classes=2):
        super().__init__()
        self.stem = nn.Linear(inp, width)
        self.blocks = nn.Sequential(WideBlock(width), WideBlock(width))
        self.fc = nn.Linear(width, classes)

    def forward(self, x):
        return self.fc(self.blocks(self.stem(x)))


class MeanTeacher:
    def __init__(self, student, decay=0.97):
        self.module = copy.deepcopy(student)
        self.decay = decay
        self.step = 0
        for p in self.module.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, student):
        self.step += 1
        decay = min(self.decay, self.step / (self.step + 5))
        for t, s in zip(self.module.parameters(), student.parameters()):
            t.mul_(decay).add_(s, alpha=1 - decay)
        for t, s in zip(self.module.buffers(), student.buffers()):
            t.copy_(s)

    @torch.no_grad()
    def targets(self, x):
        self.module.train()
        return F.softmax(self.module(x), dim=1)


def sigmoid_rampup(step, length):
    if step >= length:
        return 1.0
    phase = 1.0 - step / length
    return math.exp(-5.0 * phase * phase)


def two_moons(n, noise=0.12):
    t = torch.rand(n) * math.pi
    y = torch.arange(n) % 2
    x = torch.stack([t.cos(), t.sin()], dim=1)
    x[y == 1] = torch.tensor([1.0, 0.4]) - x[y == 1]
    return x + noise * torch.randn(n, 2), y


def jitter(x, scale=0.08):
    return x + scale * torch.randn_like(x)


def accuracy(net, x, y):
    net.eval()
    with torch.no_grad():
        return (net(x).argmax(dim=1) == y).float().mean().item()


def main():
    torch.manual_seed(54)
    x, y = two_moons(300)
    x_lab, y_lab = x[:20], y[:20]
    unlabelled = DataLoader(TensorDataset(x[20:220]), batch_size=50, shuffle=True)
    student = Student()
    teacher = MeanTeacher(student)
    optimizer = torch.optim.SGD(student.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    step = 0
    for epoch in range(6):
        student.train()
        for (u,) in unlabelled:
            inputs = torch.cat([x_lab, jitter(u)])
            logits = student(inputs)
            supervised = F.cross_entropy(logits[:len(x_lab)], y_lab)
            consistency = F.mse_loss(F.softmax(logits[len(x_lab):], dim=1), teacher.targets(jitter(u)))
            loss = supervised + 4.0 * sigmoid_rampup(step, 16) * consistency
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            teacher.update(student)
            step += 1
        s, t = accuracy(student, x[220:], y[220:]), accuracy(teacher.module, x[220:], y[220:])
        print(f"epoch {epoch} sup {supervised.item():.3f} cons {consistency.item():.4f} student {s:.3f} teacher {t:.3f}")


if __name__ == "__main__":
    main()
