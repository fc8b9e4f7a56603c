import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Trunk(nn.Module):
    def __init__(self, inputs=10, width=20):
        super().__init__()
        self.lin1, self.bn1 = nn.Linear(inputs, width, bias=False), nn.BatchNorm1d(width)
        self.lin2, self.bn2 = nn.Linear(width, width, bias=False), nn.BatchNorm1d(width)

    def forward(self, x):
        h = torch.relu(self.bn1(self.lin1(x)))
        return torch.relu(self.bn2(self.lin2(h)))


class Transfer(nn.Module):
    def __init__(self, trunk, classes):
        super().__init__()
        self.trunk, self.head = trunk, nn.Linear(20, classes)
        for p in self.trunk.parameters():
            p.requires_grad = False

    def train(self, mode=True):
        super().train(mode)
        self.trunk.eval()
        return self

    def forward(self, x):
        return self.head(self.trunk(x))


def blobs(n, classes, seed, shift=0.0):
    g = torch.Generator().manual_seed(seed)
    centre = 2 * torch.randn(classes, 10, generator=g) + shift
    y = torch.randint(0, classes, (n,))
    return TensorDataset(centre[y] + torch.randn(n, 10), y)


def fit(model, params, loader, epochs, lr):
    optimizer = torch.optim.SGD(params, lr=lr, momentum=0.9)
    for epoch in range(epochs):
        model.train()
        for x, y in loader:
            loss = nn.functional.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return loss.item()


def accuracy(model, loader):
    model.eval()
    good = 0
    with torch.no_grad():
        for x, y in loader:
            good += (model(x).argmax(1) == y).sum().item()
    return good / len(loader.dataset)


def main():
    torch.manual_seed(53)
    trunk = Trunk()
    source_data = blobs(160, 5, seed=1)
    source = nn.Sequential(trunk, nn.Linear(20, 5))
    loss = fit(source, source.parameters(), DataLoader(source_data, batch_size=16, shuffle=True), 2, 0.05)
    test = DataLoader(source_data, batch_size=40)
    print("source loss", round(loss, 4), "accuracy", accuracy(source, test))

    target_data = blobs(96, 3, seed=2, shift=3.0)
    model = Transfer(trunk, classes=3)
    loss = fit(model, model.head.parameters(), DataLoader(target_data, batch_size=16, shuffle=True), 3, 0.05)
    print("target loss", round(loss, 4), "accuracy", accuracy(model, DataLoader(target_data, batch_size=32)))
    print("source accuracy now", accuracy(source, test))


if __name__ == "__main__":
    main()
