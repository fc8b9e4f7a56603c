"""A physics-informed network: second derivatives of the output, Adam first and L-BFGS after it.

packages: torch
"""
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 16), nn.Tanh(), nn.Linear(16, 1))
omega = nn.Parameter(torch.tensor(1.0))
inside = torch.linspace(0, 3, 20)[:, None].requires_grad_(True)
edge = torch.zeros(1, 1, requires_grad=True)


def slope(u, x):
    return torch.autograd.grad(u, x, torch.ones_like(u), create_graph=True)[0]


def loss_of():
    u = net(inside)
    residual = slope(slope(u, inside), inside) + omega**2 * u
    u0 = net(edge)
    return residual.pow(2).mean() + (u0 - 1).pow(2).sum() + slope(u0, edge).pow(2).sum()


parameters = [*net.parameters(), omega]
adam = torch.optim.Adam(parameters, lr=1e-3)
for step in range(5):
    adam.zero_grad()
    loss = loss_of()
    loss.backward()
    adam.step()
lbfgs = torch.optim.LBFGS(parameters, max_iter=3, line_search_fn="strong_wolfe")


def closure():
    lbfgs.zero_grad()
    loss = loss_of()
    loss.backward()
    return loss


print(round(loss.item(), 4), round(lbfgs.step(closure).item(), 4))
