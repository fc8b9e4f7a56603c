from dataclasses import dataclass, field

import torch
import torch.nn as nn
from torch.optim.lr_scheduler import MultiStepLR
from torch.utils.data import DataLoader, TensorDataset


class Callback:
    def on_epoch_begin(self, trainer): pass
    def on_batch_end(self, trainer): pass
    def on_epoch_end(self, trainer): pass


class LRSchedulerCallback(Callback):
    def __init__(self, scheduler):
        self.scheduler = scheduler

    def on_epoch_end(self, trainer):
        self.scheduler.step()


class LossMeter(Callback):
    def on_epoch_begin(self, trainer):
        self.total, self.n = 0.0, 0

    def on_batch_end(self, trainer):
        self.total += trainer.state.loss * trainer.state.batch_size
        self.n += trainer.state.batch_size

    def on_epoch_end(self, trainer):
        trainer.state.history.append(self.total / self.n)
        print("epoch %d loss %.4f" % (trainer.state.epoch, self.total / self.n))


@dataclass
class State:
    epoch: int = 0
    loss: float = 0.0
    batch_size: int = 0
    history: list = field(default_factory=list)


class Trainer:
    def __init__(self, model, criterion, optimizer, callbacks):
        self.model, self.criterion, self.optimizer = model, criterion, optimizer
        self.callbacks, self.state = callbacks, State()

    def _emit(self, event):
        for cb in self.callbacks:
            getattr(cb, event)(self)

    def fit(self, loader, epochs):
        for self.state.epoch in range(epochs):
            self.model.train()
            self._emit("on_epoch_begin")
            for x, y in loader:
                self.optimizer.zero_grad()
                loss = self.criterion(self.model(x), y)
                loss.backward()
                self.optimizer.step()
                self.state.loss, self.state.batch_size = loss.item(), len(x)
                self._emit("on_batch_end")
            self._emit("on_epoch_end")

    @torch.no_grad()
    def evaluate(self, loader):
        self.model.eval()
        hits = sum((self.model(x).argmax(1) == y).sum().item() for x, y in loader)
        return hits / len(loader.dataset)


def keyword_features(n, dim=20, classes=5, seed=0):
    g = torch.Generator().manual_seed(seed)
    prototypes = torch.randn(classes, dim, generator=torch.Generator().manual_seed(99))
    y = torch.randint(classes, (n,), generator=g)
    return TensorDataset(prototypes[y] + 1.5 * torch.randn(n, dim, generator=g), y)


def main(epochs=6):
    torch.manual_seed(13)
    model = nn.Sequential(nn.Linear(20, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 5))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=5e-4)
    scheduler = MultiStepLR(optimizer, milestones=[3, 5], gamma=0.1)
    trainer = Trainer(model, nn.CrossEntropyLoss(), optimizer, [LossMeter(), LRSchedulerCallback(scheduler)])
    trainer.fit(DataLoader(keyword_features(240), batch_size=24, shuffle=True), epochs)
    print("accuracy %.3f" % trainer.evaluate(DataLoader(keyword_features(100, seed=1), batch_size=50)))
    return optimizer, scheduler


if __name__ == "__main__":
    optimizer, scheduler = main()
    print("final lr", optimizer.param_groups[0]["lr"])
