import math

import torch
from torch import nn
from torch.nn import functional as F


class SineTasks:
    def __init__(self, n_tasks=5, points=20):
        self.amplitude = torch.rand(n_tasks) * 2 + 0.5
        self.phase = torch.rand(n_tasks) * math.pi
        self.points = points

    def __len__(self):
        return len(self.amplitude)

    def draw(self, task):
        x = torch.rand(self.points, 1) * 6 - 3
        return x, self.amplitude[task] * torch.sin(x + self.phase[task])


class TargetNet(nn.Module):
    shapes = {"fc1": (16, 1), "fc2": (1, 16)}

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleDict({k: nn.Linear(i, o) for k, (o, i) in self.shapes.items()})

    @classmethod
    def count(cls):
        return sum(o * i + o for o, i in cls.shapes.values())

    def load(self, flat):
        offset = 0
        for name, (o, i) in self.shapes.items():
            layer = self.layers[name]
            layer.weight = nn.Parameter(flat[offset:offset + o * i].view(o, i))
            offset += o * i
            layer.bias = nn.Parameter(flat[offset:offset + o])
            offset += o

    def forward(self, x):
        return self.layers["fc2"](torch.tanh(self.layers["fc1"](x)))


class HyperNetwork(nn.Module):
    def __init__(self, n_tasks, n_out, emb=6, hidden=24):
        super().__init__()
        self.embedding = nn.Embedding(n_tasks, emb)
        self.net = nn.Sequential(nn.Linear(emb, hidden), nn.ReLU(), nn.Linear(hidden, n_out))

    def forward(self, task):
        return self.net(self.embedding(torch.tensor(task)))


class ContinualTrainer:
    def __init__(self, tasks, beta=1e-3, lr=5e-3):
        self.tasks, self.beta = tasks, beta
        self.target = TargetNet()
        self.hyper = HyperNetwork(len(tasks), TargetNet.count())
        self.optimizer = torch.optim.Adam(self.hyper.parameters(), lr=lr)

    def task_loss(self, task):
        flat = self.hyper(task)
        self.target.load(flat)
        x, y = self.tasks.draw(task)
        return F.mse_loss(self.target(x), y), flat.pow(2).mean()

    def train(self, iterations=60):
        for it in range(iterations):
            mse, size = zip(*[self.task_loss(t) for t in range(len(self.tasks))])
            mse, size = torch.stack(mse).mean(), torch.stack(size).mean()
            loss = mse + self.beta * size
            self.optimizer.zero_grad()
            loss.backward()
            norm = nn.utils.clip_grad_norm_(self.hyper.parameters(), 5.0)
            self.optimizer.step()
            if it % 15 == 14:
                print("it %3d mse %.4f reg %.4f grad norm %.2e" % (it + 1, mse.item(), size.item(), norm))
        return norm


def evaluate(trainer):
    scores = []
    with torch.no_grad():
        for task in range(len(trainer.tasks)):
            scores.append(trainer.task_loss(task)[0].item())
    return scores


torch.manual_seed(31)
trainer = ContinualTrainer(SineTasks())
norm = trainer.train()
print("per task", [round(s, 3) for s in evaluate(trainer)])
