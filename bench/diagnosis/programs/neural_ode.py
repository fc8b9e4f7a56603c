import torch
import torch.nn as nn

torch.manual_seed(24)


class Dynamics(nn.Module):
    def __init__(self, size, hidden):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(size, hidden), nn.Tanh(), nn.Linear(hidden, size))

    def forward(self, t, state):
        return self.net(state) * (1.0 + 0.1 * t)


def rk4_step(f, t, y, h):
    k1 = f(t, y)
    k2 = f(t + h / 2, y + h / 2 * k1)
    k3 = f(t + h / 2, y + h / 2 * k2)
    k4 = f(t + h, y + h * k3)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def integrate(f, y, times):
    states = [y]
    for start, end in zip(times[:-1], times[1:]):
        y = rk4_step(f, start, y, end - start)
        states.append(y)
    return torch.stack(states)


def spiral(times):
    decay = torch.exp(-0.3 * times)
    return torch.stack([decay * torch.cos(2 * times), decay * torch.sin(2 * times)], dim=1)


times = torch.linspace(0, 2, 9)
truth = spiral(times)
dynamics = Dynamics(2, 10)
optimizer = torch.optim.Adam(dynamics.parameters(), lr=0.02)
best = float("inf")
for iteration in range(6):
    predicted = integrate(dynamics, truth[0], times)
    loss = (predicted - truth).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(dynamics.parameters(), 2.0)
    optimizer.step()
    best = min(best, loss.item())
    print(f"iteration {iteration}: {loss.item():.4f}")

with torch.no_grad():
    final = integrate(dynamics, truth[0], times)
print("best", best, "end", final[-1].tolist())
