import math
import random
from itertools import islice

import torch
from torch import nn
import torch.nn.functional as F


class FewShotWave:
    """Sinusoid or square wave with random amplitude and phase."""

    def __init__(self, rng):
        self.amplitude = rng.uniform(0.5, 3.0)
        self.phase = rng.uniform(0, math.pi)
        self.square = rng.random() < 0.3

    def __call__(self, x):
        y = torch.sin(x + self.phase)
        return self.amplitude * (y.sign() if self.square else y)

    def sample(self, n):
        x = torch.rand(n, 1) * 10 - 5
        return x, self(x)


def task_stream(seed):
    rng = random.Random(seed)
    while True:
        yield FewShotWave(rng)


class FourierFeatures(nn.Module):
    def __init__(self, bands=4):
        super().__init__()
        self.register_buffer("freqs", 0.5 * torch.arange(1, bands + 1).float())

    def forward(self, x):
        angles = x * self.freqs
        return torch.cat([x / 5, angles.sin(), angles.cos()], dim=1)


def build_model(hidden=40):
    return nn.Sequential(FourierFeatures(), nn.Linear(9, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(), nn.Linear(hidden, 1))


class Reptile:
    def __init__(self, model, inner_lr=0.02, inner_steps=5, meta_lr=0.3, total=60):
        self.model = model
        self.inner_lr, self.inner_steps = inner_lr, inner_steps
        self.meta_lr, self.total = meta_lr, total

    def inner_train(self, task, n=20):
        optimizer = torch.optim.SGD(self.model.parameters(), lr=self.inner_lr)
        x, y = task.sample(n)
        for _ in range(self.inner_steps):
            loss = F.mse_loss(self.model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        return loss.item()

    def meta_step(self, task, iteration):
        weights_before = self.model.state_dict()
        loss = self.inner_train(task)
        weights_after = self.model.state_dict()
        outer = self.meta_lr * (1 - iteration / self.total)
        self.model.load_state_dict({
            name: weights_before[name] + (weights_after[name] - weights_before[name]) * outer
            for name in weights_before
        })
        return loss

    def meta_train(self, tasks):
        for iteration, task in enumerate(islice(tasks, self.total)):
            loss = self.meta_step(task, iteration)
            if iteration % 15 == 14:
                print("iteration %d inner loss %.4f" % (iteration + 1, loss))

    def adapt_and_test(self, task, shots=10):
        backup = {name: value.clone() for name, value in self.model.state_dict().items()}
        self.inner_train(task, shots)
        x = torch.linspace(-5, 5, 50)[:, None]
        with torch.no_grad():
            error = F.mse_loss(self.model(x), task(x)).item()
        self.model.load_state_dict(backup)
        return error


if __name__ == "__main__":
    torch.manual_seed(90)
    learner = Reptile(build_model())
    learner.meta_train(task_stream(seed=1))
    errors = [learner.adapt_and_test(t) for t in islice(task_stream(seed=2), 8)]
    print("adapted test error %.4f" % (sum(errors) / len(errors)))
