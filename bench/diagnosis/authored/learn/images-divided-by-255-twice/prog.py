import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Digits(Dataset):
    def __init__(self, n, transform):
        self.label = torch.randint(0, 4, (n,))
        image = torch.randint(0, 60, (n, 1, 8, 8))
        for i, y in enumerate(self.label.tolist()):
            image[i, 0, 2 * y:2 * y + 2] += 180
        self.image, self.transform = image.to(torch.uint8), transform

    def __len__(self):
        return len(self.label)

    def __getitem__(self, i):
        return self.transform(self.image[i]), self.label[i]


def to_tensor(image):
    return image.float() / 255.0


class Net(nn.Module):
    def __init__(self, classes=4):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 8, 3, padding=1, bias=False)
        self.conv2 = nn.Conv2d(8, 8, 3, padding=1, bias=False)
        self.fc = nn.Linear(8 * 16, classes)

    def preprocess(self, x):
        return x / 255.0

    def energy(self, h):
        return h * h

    def forward(self, x):
        h = torch.relu(self.conv1(self.preprocess(x)))
        h = self.energy(self.conv2(h))
        return self.fc(nn.functional.avg_pool2d(h, 2).flatten(1))


class Learner:
    def __init__(self, net, lr=0.05):
        self.net = net
        self.opt = torch.optim.SGD(net.parameters(), lr=lr, momentum=0.9)
        self.loss = nn.CrossEntropyLoss()

    def train(self, loader):
        self.net.train()
        total = 0.0
        for x, y in loader:
            loss = self.loss(self.net(x), y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            total += loss.item()
        return total / len(loader)

    def test(self, loader):
        self.net.eval()
        good = 0
        with torch.no_grad():
            for x, y in loader:
                good += (self.net(x).argmax(dim=1) == y).sum().item()
        return good / len(loader.dataset)


if __name__ == "__main__":
    torch.manual_seed(16)
    train = DataLoader(Digits(160, to_tensor), batch_size=16, shuffle=True)
    valid = DataLoader(Digits(48, to_tensor), batch_size=16)
    learner = Learner(Net())
    for epoch in range(3):
        print(f"epoch {epoch} loss {learner.train(train):.4f} acc {learner.test(valid):.3f}")
