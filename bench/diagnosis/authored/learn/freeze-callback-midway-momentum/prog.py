import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class Backbone(nn.Module):
    def __init__(self, dim=10, width=32):
        super().__init__()
        self.layer1 = nn.Sequential(nn.Linear(dim, width), nn.LayerNorm(width), nn.GELU())
        self.layer2 = nn.Sequential(nn.Linear(width, width), nn.LayerNorm(width), nn.GELU())

    def forward(self, x):
        x = self.layer1(x)
        return x + self.layer2(x)


class Net(nn.Module):
    def __init__(self, classes=4):
        super().__init__()
        self.backbone = Backbone()
        self.head = nn.Linear(32, classes)

    def forward(self, x):
        return self.head(self.backbone(x))


class FreezeBackbone:
    """Trains everything for a few epochs, then only the head."""

    def __init__(self, at_epoch):
        self.at_epoch = at_epoch

    def before_epoch(self, engine):
        if engine.epoch == self.at_epoch:
            for p in engine.model.backbone.parameters():
                p.requires_grad = False
            trainable = sum(p.numel() for p in engine.model.parameters() if p.requires_grad)
            print("backbone frozen,", trainable, "trainable parameters")


class Accuracy:
    def __init__(self, data):
        self.data, self.values = data, []

    def before_epoch(self, engine):
        x, y = self.data.tensors
        engine.model.eval()
        with torch.no_grad():
            self.values.append((engine.model(x).argmax(1) == y).float().mean().item())


class Engine:
    def __init__(self, model, lr=0.05, momentum=0.9, weight_decay=1e-3, callbacks=()):
        self.model, self.callbacks = model, callbacks
        self.optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=momentum, weight_decay=weight_decay)
        self.epoch = 0

    def zero_grads(self):
        for group in self.optimizer.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p.grad.detach_()
                    p.grad.zero_()

    def train_batch(self, x, y):
        self.zero_grads()
        loss = F.cross_entropy(self.model(x), y, label_smoothing=0.05)
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def run(self, loader, epochs):
        for self.epoch in range(epochs):
            for callback in self.callbacks:
                callback.before_epoch(self)
            self.model.train()
            losses = [self.train_batch(x, y) for x, y in loader]
            print("epoch %d loss %.4f" % (self.epoch, sum(losses) / len(losses)))


def clusters(n, classes=4, dim=10):
    centres = 1.2 * torch.randn(classes, dim)
    y = torch.randint(classes, (n,))
    return TensorDataset(centres[y] + torch.randn(n, dim), y)


torch.manual_seed(8)
data = clusters(256)
model = Net()
accuracy = Accuracy(data)
engine = Engine(model, callbacks=[FreezeBackbone(at_epoch=2), accuracy])
engine.run(DataLoader(data, batch_size=32, shuffle=True), epochs=5)
print("accuracy per epoch", [round(v, 3) for v in accuracy.values])
