import math

import torch
from torch import nn
from torch.nn import functional as F


class SinusoidTasks:
    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)

    def sample(self, shots, queries):
        amp = 0.5 + 2 * torch.rand(1, generator=self.g)
        phase = math.pi * torch.rand(1, generator=self.g)
        x = torch.rand(shots + queries, 1, generator=self.g) * 10 - 5
        y = amp * torch.sin(x + phase)
        return (x[:shots], y[:shots]), (x[shots:], y[shots:])


class FunctionalMLP(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.params = nn.ParameterDict({
            "w1": nn.Parameter(torch.randn(hidden, 1)), "b1": nn.Parameter(torch.randn(hidden)),
            "w2": nn.Parameter(torch.randn(hidden, hidden) / math.sqrt(hidden)), "b2": nn.Parameter(torch.zeros(hidden)),
            "w3": nn.Parameter(torch.randn(1, hidden) / math.sqrt(hidden)), "b3": nn.Parameter(torch.zeros(1)),
        })
        self.log_lr = nn.Parameter(torch.tensor(math.log(0.02)))

    def forward(self, x, weights=None):
        p = dict(self.params.items()) if weights is None else weights
        h = torch.tanh(F.linear(x, p["w1"], p["b1"]))
        h = torch.tanh(F.linear(h, p["w2"], p["b2"]))
        return F.linear(h, p["w3"], p["b3"])


def adapt(model, support, steps, train):
    x, y = support
    weights = dict(model.params.items())
    lr = model.log_lr.exp() if train else model.log_lr.exp().detach()
    for _ in range(steps):
        loss = F.mse_loss(model(x, weights), y)
        names = list(weights)
        grads = torch.autograd.grad(loss, [weights[n] for n in names], create_graph=train)
        weights = {n: weights[n] - lr * g for n, g in zip(names, grads)}
        if not train:
            weights = {n: w.detach().requires_grad_(True) for n, w in weights.items()}
    return weights


class MetaLearner:
    def __init__(self, model, inner_steps=2, meta_batch=4, lr=2e-3):
        self.model, self.inner_steps, self.meta_batch = model, inner_steps, meta_batch
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)

    def meta_step(self, tasks):
        self.optimizer.zero_grad()
        total = 0.0
        for _ in range(self.meta_batch):
            support, query = tasks.sample(shots=10, queries=10)
            fast = adapt(self.model, support, self.inner_steps, train=True)
            loss = F.mse_loss(self.model(query[0], fast), query[1]) / self.meta_batch
            loss.backward()
            total += loss.item()
        nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
        self.optimizer.step()
        return total

    def evaluate(self, tasks, n=8, steps=4):
        before, after = [], []
        for _ in range(n):
            support, query = tasks.sample(10, 20)
            fast = adapt(self.model, support, steps, train=False)
            with torch.no_grad():
                before.append(F.mse_loss(self.model(query[0]), query[1]).item())
                after.append(F.mse_loss(self.model(query[0], fast), query[1]).item())
        return sum(before) / n, sum(after) / n


if __name__ == "__main__":
    torch.manual_seed(58)
    tasks = SinusoidTasks(seed=3)
    learner = MetaLearner(FunctionalMLP())
    for it in range(1, 41):
        loss = learner.meta_step(tasks)
        if it % 10 == 0:
            print(f"it {it} meta loss {loss:.4f}")
    print("test before/after", [round(v, 3) for v in learner.evaluate(SinusoidTasks(seed=9))])
