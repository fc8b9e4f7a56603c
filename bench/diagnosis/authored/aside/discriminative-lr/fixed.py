import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset


class Callback:
    def on_train_begin(self, trainer):
        pass

    def on_epoch_begin(self, trainer, epoch):
        pass

    def on_epoch_end(self, trainer, epoch, loss):
        pass


class DiscriminativeScaling(Callback):
    """Earlier stages learn more slowly: gradients are scaled by decay ** (distance from the head)."""

    def __init__(self, decay=0.6):
        self.decay = decay

    def attach(self, trainer):
        stages = list(trainer.model.stages)
        for depth, stage in enumerate(stages):
            scale = self.decay ** (len(stages) - depth)
            for p in stage.parameters():
                p.register_hook(lambda g, s=scale: g * s)

    def on_train_begin(self, trainer):
        self.attach(trainer)


class GradientNorms(Callback):
    def __init__(self):
        self.rows = []

    def on_epoch_end(self, trainer, epoch, loss):
        norms = [sum(p.grad.norm().item() for p in s.parameters()) for s in trainer.model.stages]
        self.rows.append(norms)
        print(f"epoch {epoch} loss {loss:.4f} stage grads " + " ".join(f"{n:.2e}" for n in norms))


class Stage(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm, self.lin = nn.LayerNorm(width), nn.Linear(width, width)

    def forward(self, x):
        return x + F.silu(self.lin(self.norm(x)))


class TabResNet(nn.Module):
    def __init__(self, features, width=24, stages=3, outputs=1):
        super().__init__()
        self.stem = nn.Linear(features, width)
        self.stages = nn.ModuleList(Stage(width) for _ in range(stages))
        self.head = nn.Linear(width, outputs)

    def forward(self, x):
        h = self.stem(x)
        for stage in self.stages:
            h = stage(h)
        return self.head(h).squeeze(1)


class Trainer:
    def __init__(self, model, lr=0.02, callbacks=()):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
        self.callbacks = list(callbacks)

    def fire(self, event, *args):
        for cb in self.callbacks:
            getattr(cb, event)(self, *args)

    def fit(self, loader, epochs):
        self.fire("on_train_begin")
        for epoch in range(epochs):
            self.fire("on_epoch_begin", epoch)
            total = 0.0
            for x, y in loader:
                self.optimizer.zero_grad()
                loss = F.mse_loss(self.model(x), y)
                loss.backward()
                self.optimizer.step()
                total += loss.item() * len(y)
            self.fire("on_epoch_end", epoch, total / len(loader.dataset))


def housing(n):
    x = torch.randn(n, 6)
    y = x[:, 0] * x[:, 1] + 0.5 * x[:, 2].abs() - x[:, 3] + 0.1 * torch.randn(n)
    return x, (y - y.mean()) / y.std()


if __name__ == "__main__":
    torch.manual_seed(39)
    x, y = housing(256)
    loader = DataLoader(TensorDataset(x[:192], y[:192]), batch_size=32, shuffle=True)
    trainer = Trainer(TabResNet(6), callbacks=[DiscriminativeScaling(), GradientNorms()])
    trainer.fit(loader, epochs=6)
    with torch.no_grad():
        print("test mse", round(F.mse_loss(trainer.model(x[192:]), y[192:]).item(), 4))
