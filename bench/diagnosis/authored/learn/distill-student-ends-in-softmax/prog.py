import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

MODELS = {}


def register(name):
    def wrap(fn):
        MODELS[name] = fn
        return fn
    return wrap


def mlp(sizes, final):
    layers = []
    for i, (a, b) in enumerate(zip(sizes, sizes[1:])):
        layers.append(nn.Linear(a, b))
        layers.append(nn.ReLU() if i < len(sizes) - 2 else final)
    return nn.Sequential(*layers)


@register("teacher")
def build_teacher(n_in, classes):
    return mlp([n_in, 64, 64, classes], nn.Identity())


@register("student")
def build_student(n_in, classes):
    return mlp([n_in, 16, classes], nn.Softmax(dim=1))


class DistillationLoss(nn.Module):
    def __init__(self, temperature=3.0, alpha=0.7):
        super().__init__()
        self.T, self.alpha = temperature, alpha
        self.hard = nn.CrossEntropyLoss(label_smoothing=0.05)

    def forward(self, student, teacher, target):
        soft = F.mse_loss(student, F.softmax(teacher / self.T, dim=1))
        return self.alpha * self.hard(student, target) + (1 - self.alpha) * self.T ** 2 * soft


def spirals(n, classes=3):
    y = torch.randint(classes, (n,))
    t = torch.rand(n)
    angle = 4 * t + 2 * torch.pi * y / classes + 0.1 * torch.randn(n)
    return TensorDataset(torch.stack([t * angle.cos(), t * angle.sin(), t], dim=1), y)


def accuracy(model, loader):
    model.eval()
    with torch.no_grad():
        good = sum((model(x).argmax(1) == y).sum().item() for x, y in loader)
    return good / len(loader.dataset)


def train_teacher(teacher, loader, epochs):
    opt = torch.optim.Adam(teacher.parameters(), lr=1e-2)
    for _ in range(epochs):
        teacher.train()
        for x, y in loader:
            opt.zero_grad()
            F.cross_entropy(teacher(x), y).backward()
            opt.step()


def distill(teacher, student, loader, test, epochs):
    criterion, opt = DistillationLoss(), torch.optim.Adam(student.parameters(), lr=1e-2)
    teacher.eval()
    for epoch in range(epochs):
        student.train()
        for x, y in loader:
            with torch.no_grad():
                guide = teacher(x)
            loss = criterion(student(x), guide, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
        print("epoch %d loss %.4f acc %.3f" % (epoch, loss.item(), accuracy(student, test)))


if __name__ == "__main__":
    torch.manual_seed(9)
    train, test = DataLoader(spirals(192), batch_size=32, shuffle=True), DataLoader(spirals(90), batch_size=30)
    teacher, student = MODELS["teacher"](3, 3), MODELS["student"](3, 3)
    train_teacher(teacher, train, 8)
    print("teacher %.3f" % accuracy(teacher, test))
    distill(teacher, student, train, test, 5)
    x, y = next(iter(test))
