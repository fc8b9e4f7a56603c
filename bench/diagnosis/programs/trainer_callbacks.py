"""A trainer with callbacks: history, early stop, and the best state."""

import copy

import torch
from torch import nn

torch.manual_seed(101)


class Callback:
    def on_epoch_begin(self, trainer):
        pass

    def on_epoch_end(self, trainer):
        pass


class History(Callback):
    def __init__(self):
        self.train, self.valid = [], []

    def on_epoch_end(self, trainer):
        self.train.append(trainer.epoch_loss)
        self.valid.append(trainer.valid_loss)


class KeepBest(Callback):
    def __init__(self, patience):
        self.patience, self.best, self.waited, self.state = patience, float("inf"), 0, None

    def on_epoch_end(self, trainer):
        if trainer.valid_loss < self.best:
            self.best, self.waited = trainer.valid_loss, 0
            self.state = copy.deepcopy(trainer.model.state_dict())
        else:
            self.waited += 1
            trainer.stopped = self.waited > self.patience


class Trainer:
    def __init__(self, model, criterion, lr, callbacks):
        self.model, self.criterion, self.callbacks = model, criterion, callbacks
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=lr)
        self.stopped = False

    def notify(self, event):
        for callback in self.callbacks:
            getattr(callback, event)(self)

    def training_step(self, x, y):
        self.optimizer.zero_grad()
        prediction = self.model(x).squeeze(-1)
        loss = self.criterion(prediction, y)
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
        self.optimizer.step()
        return loss.item()

    def validate(self, batches):
        self.model.eval()
        total = 0.0
        with torch.no_grad():
            for x, y in batches:
                total += self.criterion(self.model(x).squeeze(-1), y).item()
        return total / len(batches)

    def fit(self, training, validation, epochs):
        for self.epoch in range(epochs):
            self.notify("on_epoch_begin")
            self.model.train()
            total = 0.0
            for x, y in training:
                total += self.training_step(x, y)
            self.epoch_loss = total / len(training)
            self.valid_loss = self.validate(validation)
            self.notify("on_epoch_end")
            if self.stopped:
                break


def batches(n, size):
    inputs = torch.randn(n, 5)
    targets = inputs[:, 0] * inputs[:, 1] + inputs[:, 2].sin()
    return list(zip(inputs.split(size), targets.split(size)))


history, best = History(), KeepBest(patience=2)
model = nn.Sequential(nn.Linear(5, 24), nn.SiLU(), nn.Dropout(0.1), nn.Linear(24, 1))
trainer = Trainer(model, nn.SmoothL1Loss(), lr=0.01, callbacks=[history, best])
trainer.fit(batches(48, 12), batches(24, 12), epochs=5)
model.load_state_dict(best.state)
print("train", ["%.4f" % v for v in history.train])
print("valid", ["%.4f" % v for v in history.valid], "best %.4f" % best.best)
