"""A fixed-point layer: forward without a graph, backward through one step and a solver of its own."""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(129)


class Cell(nn.Module):
    def __init__(self, inputs, hidden):
        super().__init__()
        self.recurrent = nn.Linear(hidden, hidden, bias=False)
        self.inject = nn.Linear(inputs, hidden)
        with torch.no_grad():
            self.recurrent.weight.mul_(0.4)

    def forward(self, z, x):
        return torch.tanh(self.recurrent(z) + self.inject(x))


def solve(function, start, most, tolerance):
    z = start
    for _ in range(most):
        following = function(z)
        if (following - z).norm() < tolerance * (1 + z.norm()):
            return following
        z = following
    return z


class FixedPoint(nn.Module):
    def __init__(self, cell, hidden, most=25, tolerance=1e-4):
        super().__init__()
        self.cell, self.hidden, self.most, self.tolerance = cell, hidden, most, tolerance

    def forward(self, x):
        start = torch.zeros(len(x), self.hidden)
        with torch.no_grad():
            z = solve(lambda z: self.cell(z, x), start, self.most, self.tolerance)
        z = self.cell(z, x)
        if not z.requires_grad:
            return z
        z0 = z.detach().requires_grad_()
        f0 = self.cell(z0, x)

        def backward_hook(gradient):
            def adjoint(g):
                return torch.autograd.grad(f0, z0, g, retain_graph=True)[0] + gradient

            return solve(adjoint, gradient, self.most, self.tolerance)

        z.register_hook(backward_hook)
        return z


class Model(nn.Module):
    def __init__(self, inputs, hidden, classes):
        super().__init__()
        self.fixed_point = FixedPoint(Cell(inputs, hidden), hidden)
        self.norm = nn.LayerNorm(hidden)
        self.head = nn.Linear(hidden, classes)

    def forward(self, x):
        return self.head(self.norm(self.fixed_point(x)))


def xor_data(n):
    x = torch.randn(n, 4)
    return x, ((x[:, 0] > 0) ^ (x[:, 1] > 0)).long()


model = Model(4, 16, 2)
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
for step in range(8):
    x, labels = xor_data(24)
    loss = F.cross_entropy(model(x), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print("step", step, "loss %.4f" % loss.item())
model.eval()
with torch.no_grad():
    x, labels = xor_data(40)
    print("accuracy %.3f" % (model(x).argmax(dim=1) == labels).float().mean().item())
