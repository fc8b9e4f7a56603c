import torch
from torch import nn


class SpringMass:
    """A row of masses between springs, integrated explicitly."""

    def __init__(self, masses=4, stiffness=60.0, damping=0.2, dt=0.1):
        self.masses, self.k, self.c, self.dt = masses, stiffness, damping, dt

    def force(self, x):
        left = torch.cat([torch.zeros_like(x[:, :1]), x[:, :-1]], dim=1)
        right = torch.cat([x[:, 1:], torch.zeros_like(x[:, :1])], dim=1)
        return self.k * (left - 2 * x + right)

    def step(self, x, v, u):
        a = self.force(x) - self.c * v + u
        x = x + self.dt * v
        v = v + self.dt * a
        return x, v


class Controller(nn.Module):
    def __init__(self, masses=4, hidden=16):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2 * masses, hidden), nn.Tanh(), nn.Linear(hidden, masses))

    def forward(self, x, v):
        return self.net(torch.cat([x, v], dim=1))


class Episode(nn.Module):
    def __init__(self, world, policy, horizon=40, effort=1e-3):
        super().__init__()
        self.world, self.policy, self.horizon, self.effort = world, policy, horizon, effort

    def forward(self, x, v):
        cost = torch.zeros(())
        for _ in range(self.horizon):
            u = self.policy(x, v)
            x, v = self.world.step(x, v, u)
            cost = cost + self.effort * u.pow(2).mean()
        return cost + x.pow(2).mean() + 0.1 * v.pow(2).mean()


def start(n, masses=4):
    return 0.2 * torch.randn(n, masses), torch.zeros(n, masses)


def optimise(episode, iterations, lr=1e-3):
    optimizer = torch.optim.Adam(episode.policy.parameters(), lr=lr)
    costs = []
    for i in range(iterations):
        cost = episode(*start(8))
        optimizer.zero_grad()
        cost.backward()
        optimizer.step()
        costs.append(cost.item())
        if i % 3 == 2:
            size = sum(p.grad.pow(2).sum() for p in episode.policy.parameters()).sqrt().item()
            print(f"iteration {i} cost {costs[-1]:.4e} gradient {size:.3e}")
    return costs


def main():
    torch.manual_seed(26)
    world = SpringMass()
    episode = Episode(world, Controller(world.masses))
    costs = optimise(episode, 6)
    with torch.no_grad():
        final = episode(*start(16)).item()
    print("first", round(costs[0], 4), "final", round(final, 4))


if __name__ == "__main__":
    main()
