import math

import torch
from torch import nn
from torch.autograd import grad


class FourierFeatures(nn.Module):
    def __init__(self, inp, count, scale=1.0):
        super().__init__()
        self.register_buffer("B", scale * torch.randn(inp, count))

    def forward(self, z):
        p = z @ self.B
        return torch.cat([p.sin(), p.cos()], dim=1)


class BurgersNet(nn.Module):
    def __init__(self, width=24, depth=2):
        super().__init__()
        layers = [FourierFeatures(2, 12), nn.Linear(24, width), nn.Tanh()]
        for _ in range(depth):
            layers += [nn.Linear(width, width), nn.Tanh()]
        self.net = nn.Sequential(*layers, nn.Linear(width, 1))

    def forward(self, t, x):
        return self.net(torch.cat([t, x], dim=1))


class Sampler:
    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)

    def interior(self, n):
        t = torch.rand(n, 1, generator=self.g)
        x = torch.rand(n, 1, generator=self.g) * 2 - 1
        return t, x

    def initial(self, n):
        x = torch.rand(n, 1, generator=self.g) * 2 - 1
        return torch.zeros(n, 1), x, -torch.sin(math.pi * x)

    def boundary(self, n):
        t = torch.rand(n, 1, generator=self.g)
        side = (torch.rand(n, 1, generator=self.g) < 0.5).float() * 2 - 1
        return t, side


def derivatives(u, t, x):
    ones = torch.ones_like(u)
    u_t, u_x = grad(u, (t, x), grad_outputs=ones, create_graph=True)
    u_xx = grad(u_x, x, grad_outputs=ones, retain_graph=True)[0]
    return u_t, u_x, u_xx


def residual(net, t, x, nu):
    t, x = t.clone().requires_grad_(True), x.clone().requires_grad_(True)
    u = net(t, x)
    u_t, u_x, u_xx = derivatives(u, t, x)
    return u_t + u * u_x - nu * u_xx, u_xx


class PINNTrainer:
    def __init__(self, net, nu=0.05, weights=(1.0, 5.0, 2.0)):
        self.net, self.nu, self.weights = net, nu, weights
        self.sampler = Sampler(seed=4)
        self.opt = torch.optim.Adam(net.parameters(), lr=3e-3)
        self.sched = torch.optim.lr_scheduler.ExponentialLR(self.opt, gamma=0.98)

    def losses(self):
        pde, _ = residual(self.net, *self.sampler.interior(64), self.nu)
        t0, x0, u0 = self.sampler.initial(32)
        tb, xb = self.sampler.boundary(32)
        return {
            "pde": pde.pow(2).mean(),
            "ic": (self.net(t0, x0) - u0).pow(2).mean(),
            "bc": self.net(tb, xb).pow(2).mean(),
        }

    def train(self, steps):
        for step in range(1, steps + 1):
            self.opt.zero_grad()
            parts = self.losses()
            total = sum(w * v for w, v in zip(self.weights, parts.values()))
            total.backward()
            self.opt.step()
            if step % 20 == 0:
                self.sched.step()
                print(step, {k: round(v.item(), 5) for k, v in parts.items()})


torch.manual_seed(18)
net = BurgersNet()
trainer = PINNTrainer(net)
trainer.train(60)
with torch.no_grad():
    xs = torch.linspace(-1, 1, 5).unsqueeze(1)
    print("u(0.5, x)", [round(v, 3) for v in net(torch.full_like(xs, 0.5), xs).flatten().tolist()])
