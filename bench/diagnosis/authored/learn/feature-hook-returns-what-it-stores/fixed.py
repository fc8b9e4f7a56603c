import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class FeatureStore:
    """Keeps the last features of chosen layers for a nearest-neighbour check."""

    def __init__(self):
        self.features = {}

    def attach(self, name, layer):
        def hook(module, inputs, output):
            self.features[name] = output.detach()

        layer.register_forward_hook(hook)
        return self

    def nearest(self, name, label):
        f = nn.functional.normalize(self.features[name].flatten(1), dim=1)
        sim = f @ f.t() - 2 * torch.eye(len(f))
        return (label[sim.argmax(dim=1)] == label).float().mean().item()


class ConvNet(nn.Module):
    def __init__(self, classes=4):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(2, 8, 3, padding=1), nn.ReLU())
        self.stage = nn.Sequential(nn.Conv2d(8, 12, 3, 2, 1), nn.ReLU(), nn.Conv2d(12, 12, 3, padding=1), nn.ReLU())
        self.classifier = nn.Sequential(nn.Flatten(), nn.Linear(12 * 9, 24), nn.ReLU(), nn.Linear(24, classes))

    def forward(self, x):
        return self.classifier(self.stage(self.stem(x)))


def fields(n, size=6):
    label = torch.randint(0, 4, (n,))
    angle = label * 1.57 + 0.2 * torch.randn(n)
    flow = torch.stack([angle.cos(), angle.sin()], dim=1)[:, :, None, None].expand(n, 2, size, size)
    return TensorDataset(flow + 0.5 * torch.randn(n, 2, size, size), label)


class Loop:
    def __init__(self, net, store, lr=3e-3):
        self.net, self.store = net, store
        self.optimizer = torch.optim.Adam(net.parameters(), lr=lr)
        self.criterion = nn.CrossEntropyLoss()

    def train(self, loader):
        self.net.train()
        for x, y in loader:
            self.optimizer.zero_grad()
            loss = self.criterion(self.net(x), y)
            loss.backward()
            self.optimizer.step()
        return loss.item(), self.store.nearest("stage", y)


if __name__ == "__main__":
    torch.manual_seed(35)
    net = ConvNet()
    store = FeatureStore().attach("stage", net.stage)
    loop = Loop(net, store)
    loader = DataLoader(fields(128), batch_size=16, shuffle=True)
    for epoch in range(3):
        loss, neighbours = loop.train(loader)
        print(f"epoch {epoch} loss {loss:.4f} neighbours {neighbours:.3f}")
