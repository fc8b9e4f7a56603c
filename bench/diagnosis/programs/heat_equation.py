"""A network that solves the heat equation, trained with L-BFGS."""

import math

import torch
import torch.nn as nn

torch.manual_seed(130)


class Field(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        sizes = [2] + [width] * depth
        self.hidden = nn.ModuleList([nn.Linear(a, b) for a, b in zip(sizes, sizes[1:])])
        self.out = nn.Linear(width, 1)

    def forward(self, x, t):
        h = torch.cat((x, t), dim=1)
        for layer in self.hidden:
            h = torch.tanh(layer(h))
        return self.out(h)


def derivative(values, inputs):
    return torch.autograd.grad(values.sum(), inputs, create_graph=True)[0]


class HeatProblem:
    def __init__(self, diffusivity, inside, edge):
        self.diffusivity = diffusivity
        self.x = torch.rand(inside, 1, requires_grad=True)
        self.t = torch.rand(inside, 1, requires_grad=True)
        self.edge_t = torch.rand(edge, 1)
        self.start_x = torch.rand(edge, 1)

    def residual(self, field):
        u = field(self.x, self.t)
        u_t = derivative(u, self.t)
        u_xx = derivative(derivative(u, self.x), self.x)
        return (u_t - self.diffusivity * u_xx).pow(2).mean()

    def boundary(self, field):
        zero, one = torch.zeros_like(self.edge_t), torch.ones_like(self.edge_t)
        left, right = field(zero, self.edge_t), field(one, self.edge_t)
        return left.pow(2).mean() + right.pow(2).mean()

    def initial(self, field):
        wanted = torch.sin(math.pi * self.start_x)
        return (field(self.start_x, torch.zeros_like(self.start_x)) - wanted).pow(2).mean()

    def exact(self, x, t):
        return torch.sin(math.pi * x) * torch.exp(-self.diffusivity * math.pi**2 * t)


problem = HeatProblem(0.1, inside=24, edge=12)
field = Field(12, depth=2)
optimizer = torch.optim.LBFGS(field.parameters(), lr=0.5, max_iter=4, history_size=10)


def closure():
    optimizer.zero_grad()
    loss = problem.residual(field) + problem.boundary(field) + 2 * problem.initial(field)
    loss.backward()
    return loss


for round_number in range(4):
    loss = optimizer.step(closure)
    with torch.no_grad():
        x, t = torch.rand(20, 1), torch.rand(20, 1)
        error = (field(x, t) - problem.exact(x, t)).abs().max()
    print("round %d: loss %.5f, error %.4f" % (round_number, loss.item(), error.item()))
