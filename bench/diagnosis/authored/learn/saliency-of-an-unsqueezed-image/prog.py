import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class ShapeNet(nn.Module):
    def __init__(self, classes=3):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(8, 8, 3, padding=1), nn.ReLU(),
        )
        self.fc = nn.Linear(8 * 16, classes)

    def forward(self, x):
        return self.fc(self.conv(x).flatten(1))


class Saliency:
    def __init__(self, model, mean=0.2, std=0.5):
        self.model, self.mean, self.std = model, mean, std

    def prepare(self, image):
        image = image.clone().requires_grad_()
        return ((image - self.mean) / self.std).unsqueeze(0)

    def __call__(self, image, label):
        self.model.eval()
        x = self.prepare(image)
        score = self.model(x)[0, label]
        score.backward()
        return x.grad.abs().squeeze()


def pictures(n, size=8):
    label = torch.randint(0, 3, (n,))
    x = 0.2 + 0.1 * torch.randn(n, 1, size, size)
    for i, y in enumerate(label.tolist()):
        if y == 0:
            x[i, 0, 2:6, 3:5] += 1
        elif y == 1:
            x[i, 0, 3:5, 2:6] += 1
        else:
            x[i, 0, 2:6, 2:6] += torch.eye(4)
    return TensorDataset(x, label)


def normalise(x, mean=0.2, std=0.5):
    return (x - mean) / std


def train(model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    model.train()
    for epoch in range(epochs):
        for x, y in loader:
            loss = nn.functional.cross_entropy(model(normalise(x)), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print("epoch", epoch, "loss", round(loss.item(), 4))


if __name__ == "__main__":
    torch.manual_seed(25)
    net = ShapeNet()
    data = pictures(96)
    train(net, DataLoader(data, batch_size=16, shuffle=True), epochs=2)
    explain = Saliency(net)
    for i in range(3):
        heat = explain(data[i][0], int(data[i][1]))
        print("image", i, "hot", round(heat[2:6, 2:6].mean().item() / heat.mean().item(), 3))
