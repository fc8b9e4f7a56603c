import torch
from torch import nn
import torch.nn.functional as F


class Sine(nn.Module):
    def __init__(self, inputs, outputs, omega=4.0, first=False):
        super().__init__()
        self.linear, self.omega = nn.Linear(inputs, outputs), omega
        bound = 1 / inputs if first else (6 / inputs) ** 0.5 / omega
        nn.init.uniform_(self.linear.weight, -bound, bound)

    def forward(self, x):
        return torch.sin(self.omega * self.linear(x))


class SDF(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.net = nn.Sequential(Sine(2, width, first=True), Sine(width, width), nn.Linear(width, 1))

    def forward(self, x):
        return self.net(x)


def normals(y, x):
    return torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)[0]


class SurfaceLoss(nn.Module):
    def __init__(self, eikonal=0.1, normal=0.2):
        super().__init__()
        self.eikonal, self.normal = eikonal, normal

    def forward(self, model, surface, normal, space):
        surface, space = surface.requires_grad_(), space.requires_grad_()
        on, off = model(surface), model(space)
        grad_on, grad_off = normals(on, surface), normals(off, space)
        data = on.abs().mean()
        direction = (1 - F.cosine_similarity(grad_on, normal, dim=1)).mean()
        unit = (grad_off.norm(dim=1) - 1).pow(2).mean()
        return data + self.normal * direction + self.eikonal * unit, unit


def circle(n):
    angle = 6.2832 * torch.rand(n)
    normal = torch.stack([angle.cos(), angle.sin()], dim=1)
    return 0.6 * normal, normal


def fit(model, steps, batch=32, lr=1e-3):
    criterion = SurfaceLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=10, gamma=0.5)
    for step in range(steps):
        surface, normal = circle(batch)
        space = 2 * torch.rand(batch, 2) - 1
        loss, unit = criterion(model, surface, normal, space)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        if step % 5 == 4:
            print(f"step {step} loss {loss.item():.4f} eikonal {unit.item():.4f}")


torch.manual_seed(57)
net = SDF()
fit(net, 15)
with torch.no_grad():
    inside, outside = net(torch.zeros(1, 2)).item(), net(torch.ones(1, 2)).item()
print("inside", round(inside, 3), "outside", round(outside, 3))
