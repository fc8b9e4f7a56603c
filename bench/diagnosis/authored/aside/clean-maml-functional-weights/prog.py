import math
from collections import OrderedDict

import torch
import torch.nn as nn
import torch.nn.functional as F


class FunctionalMLP(nn.Module):
    def __init__(self, sizes=(1, 24, 24, 1)):
        super().__init__()
        self.weights = nn.ParameterList()
        self.biases = nn.ParameterList()
        for a, b in zip(sizes, sizes[1:]):
            self.weights.append(nn.Parameter(torch.randn(b, a) * math.sqrt(2 / (a + b))))
            self.biases.append(nn.Parameter(torch.zeros(b)))

    def initial(self):
        return OrderedDict(self.named_parameters())

    def forward(self, x, params=None):
        params = self.initial() if params is None else params
        depth = len(self.weights)
        for i in range(depth):
            x = F.linear(x, params["weights.%d" % i], params["biases.%d" % i])
            if i < depth - 1:
                x = torch.tanh(x)
        return x


class InnerLoop(nn.Module):
    """Gradient descent with one learned rate per tensor."""

    def __init__(self, model, steps=2, lr=0.05):
        super().__init__()
        self.steps = steps
        self.log_lr = nn.ParameterDict({k.replace(".", "_"): nn.Parameter(torch.tensor(math.log(lr)))
                                        for k, _ in model.named_parameters()})

    def forward(self, model, x, y, create_graph=True):
        fast = model.initial()
        for _ in range(self.steps):
            loss = F.mse_loss(model(x, fast), y)
            grads = torch.autograd.grad(loss, list(fast.values()), create_graph=create_graph)
            fast = OrderedDict((k, v - self.log_lr[k.replace(".", "_")].exp() * g)
                               for (k, v), g in zip(fast.items(), grads))
        return fast


class Sinusoid:
    def __init__(self):
        self.amplitude = 0.5 + 2 * torch.rand(())
        self.phase = math.pi * torch.rand(())

    def split(self, shots=8, queries=16):
        x = torch.rand(shots + queries, 1) * 6 - 3
        y = self.amplitude * torch.sin(x + self.phase)
        return (x[:shots], y[:shots]), (x[shots:], y[shots:])


def meta_train(model, inner, iterations=25, tasks=4):
    optimizer = torch.optim.Adam([*model.parameters(), *inner.parameters()], lr=5e-3)
    for it in range(iterations):
        optimizer.zero_grad()
        meta_loss = 0.0
        for _ in range(tasks):
            support, query = Sinusoid().split()
            fast = inner(model, *support)
            loss = F.mse_loss(model(query[0], fast), query[1]) / tasks
            loss.backward()
            meta_loss += loss.item()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        if it % 8 == 7:
            print("iteration %d meta loss %.4f" % (it + 1, meta_loss))


def meta_test(model, inner, tasks=10):
    before = after = 0.0
    for _ in range(tasks):
        support, query = Sinusoid().split()
        fast = {k: v.detach() for k, v in inner(model, *support, create_graph=False).items()}
        with torch.no_grad():
            before += F.mse_loss(model(query[0]), query[1]).item() / tasks
            after += F.mse_loss(model(query[0], fast), query[1]).item() / tasks
    return before, after


torch.manual_seed(18)
model = FunctionalMLP()
inner = InnerLoop(model)
meta_train(model, inner)
print("query loss before %.4f after adaptation %.4f" % meta_test(model, inner))
