import math
from collections import defaultdict

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Callback:
    def on_train_begin(self, runner): ...
    def on_batch_begin(self, runner): ...
    def on_backward_end(self, runner): ...
    def on_step_end(self, runner): ...
    def on_epoch_end(self, runner): ...


class GradientClipping(Callback):
    def __init__(self, max_norm):
        self.max_norm = max_norm

    def on_step_end(self, runner):
        nn.utils.clip_grad_norm_(runner.model.parameters(), self.max_norm)


class WarmupCosine(Callback):
    def __init__(self, warmup, total):
        self.warmup, self.total = warmup, total

    def factor(self, step):
        if step < self.warmup:
            return (step + 1) / self.warmup
        progress = (step - self.warmup) / max(1, self.total - self.warmup)
        return 0.5 * (1 + math.cos(math.pi * min(progress, 1.0)))

    def on_train_begin(self, runner):
        self.sched = torch.optim.lr_scheduler.LambdaLR(runner.optimizer, self.factor)

    def on_step_end(self, runner):
        self.sched.step()


class History(Callback):
    def __init__(self):
        self.values = defaultdict(list)

    def on_epoch_end(self, runner):
        self.values["loss"].append(runner.epoch_loss)
        print(f"epoch {runner.epoch} loss {runner.epoch_loss:.4f}")


class Runner:
    def __init__(self, model, criterion, optimizer, callbacks):
        self.model, self.criterion, self.optimizer = model, criterion, optimizer
        self.callbacks = callbacks

    def emit(self, event):
        for cb in self.callbacks:
            getattr(cb, event)(self)

    def run(self, loader, epochs):
        self.emit("on_train_begin")
        for self.epoch in range(epochs):
            total = 0.0
            for self.batch in loader:
                self.emit("on_batch_begin")
                x, y = self.batch
                self.optimizer.zero_grad()
                loss = self.criterion(self.model(x), y)
                loss.backward()
                self.emit("on_backward_end")
                self.optimizer.step()
                self.emit("on_step_end")
                total += loss.item()
            self.epoch_loss = total / len(loader)
            self.emit("on_epoch_end")


class CharTagger(nn.Module):
    def __init__(self, symbols=30, dim=16, tags=5):
        super().__init__()
        self.embed = nn.Embedding(symbols, dim)
        self.lstm = nn.LSTM(dim, dim, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * dim, tags)

    def forward(self, x):
        return self.out(self.lstm(self.embed(x))[0]).transpose(1, 2)


def tagging_data(n=128, length=14):
    x = torch.randint(0, 30, (n, length))
    prev = torch.cat([torch.zeros(n, 1, dtype=torch.long), x[:, :-1]], dim=1)
    return TensorDataset(x, torch.where(prev < 15, x, x + 1) % 5)


torch.manual_seed(16)
model = CharTagger()
loader = DataLoader(tagging_data(), batch_size=16, shuffle=True)
callbacks = [GradientClipping(0.1), WarmupCosine(warmup=4, total=8 * 4), History()]
runner = Runner(model, nn.CrossEntropyLoss(), torch.optim.SGD(model.parameters(), lr=2.0), callbacks)
runner.run(loader, epochs=4)
x, y = tagging_data(32).tensors
with torch.no_grad():
    print("tag accuracy", round((model(x).argmax(1) == y).float().mean().item(), 3))
