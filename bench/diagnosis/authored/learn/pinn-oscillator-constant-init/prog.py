import math
from typing import NamedTuple

import torch
import torch.nn as nn


class Problem(NamedTuple):
    omega: float = 3.0
    damping: float = 0.4
    t_end: float = 2.0
    x0: float = 1.0
    v0: float = 0.0

    def exact(self, t):
        wd = math.sqrt(self.omega ** 2 - self.damping ** 2)
        return torch.exp(-self.damping * t) * (torch.cos(wd * t) + self.damping / wd * torch.sin(wd * t))


class PINN(nn.Module):
    def __init__(self, layers, init="uniform"):
        super().__init__()
        self.linears = nn.ModuleList(nn.Linear(a, b) for a, b in zip(layers, layers[1:]))
        self.activation = nn.Tanh()
        self.init_mode = init
        self.apply(self.init_weights)

    def init_weights(self, m):
        if not isinstance(m, nn.Linear):
            return
        if self.init_mode == "uniform":
            nn.init.constant_(m.weight, 1.0 / math.sqrt(m.in_features))
        else:
            nn.init.xavier_normal_(m.weight)
        nn.init.zeros_(m.bias)

    def forward(self, t):
        h = t
        for linear in self.linears[:-1]:
            h = self.activation(linear(h))
        return self.linears[-1](h)


def derivative(y, t):
    return torch.autograd.grad(y, t, torch.ones_like(y), create_graph=True)[0]


class Solver:
    def __init__(self, net, problem, n_collocation=40):
        self.net, self.problem = net, problem
        self.t = torch.linspace(0, problem.t_end, n_collocation)[:, None].requires_grad_()
        self.optimizer = torch.optim.Adam(net.parameters(), lr=5e-3)
        self.scheduler = torch.optim.lr_scheduler.ExponentialLR(self.optimizer, 0.995)
        self.history = []

    def physics_loss(self):
        p = self.problem
        x = self.net(self.t)
        v = derivative(x, self.t)
        a = derivative(v, self.t)
        return ((a + 2 * p.damping * v + p.omega ** 2 * x) ** 2).mean()

    def boundary_loss(self):
        t0 = torch.zeros(1, 1, requires_grad=True)
        x0 = self.net(t0)
        v0 = derivative(x0, t0)
        return (x0 - self.problem.x0).pow(2).sum() + (v0 - self.problem.v0).pow(2).sum()

    def step(self):
        self.optimizer.zero_grad()
        physics, boundary = self.physics_loss(), self.boundary_loss()
        (1e-2 * physics + boundary).backward()
        self.optimizer.step()
        self.scheduler.step()
        self.history.append((physics.item(), boundary.item()))

    def relative_error(self):
        with torch.no_grad():
            exact = self.problem.exact(self.t)
            return ((self.net(self.t) - exact).norm() / exact.norm()).item()


def main(steps=120):
    torch.manual_seed(123)
    solver = Solver(PINN([1, 16, 16, 1]), Problem())
    for i in range(steps):
        solver.step()
        if i % 40 == 39:
            print("step %d physics %.4f boundary %.4f error %.3f" % (i + 1, *solver.history[-1], solver.relative_error()))
    return solver


solver = main()
