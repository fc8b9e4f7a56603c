import math

import torch
from torch import nn
from torch.autograd import Function
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset


class ReverseGradient(Function):
    @staticmethod
    def forward(ctx, x, strength):
        ctx.strength = strength
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad_output):
        return -ctx.strength * grad_output, None


class FakeQuantize(Function):
    @staticmethod
    def forward(ctx, x, levels):
        inside = (x >= -1) & (x <= 1)
        ctx.save_for_backward(inside)
        return (x.clamp(-1, 1) * levels).round() / levels

    @staticmethod
    def backward(ctx, grad_output):
        (inside,) = ctx.saved_tensors
        return grad_output * inside, None


class QuantLinear(nn.Linear):
    def __init__(self, inp, out, levels=15):
        super().__init__(inp, out)
        self.levels = levels

    def forward(self, x):
        return F.linear(x, FakeQuantize.apply(self.weight, self.levels), self.bias)


class DANN(nn.Module):
    def __init__(self, inp=12, hidden=24, classes=3):
        super().__init__()
        self.features = nn.Sequential(QuantLinear(inp, hidden), nn.Tanh(), QuantLinear(hidden, hidden), nn.Tanh())
        self.label_head = nn.Linear(hidden, classes)
        self.domain_head = nn.Sequential(nn.Linear(hidden, 16), nn.LeakyReLU(0.1), nn.Linear(16, 2))

    def forward(self, x, strength=0.0):
        z = self.features(x)
        return {"label": self.label_head(z), "domain": self.domain_head(ReverseGradient.apply(z, strength))}


def domains(n, classes=3, dim=12):
    centers = 2 * torch.randn(classes, dim)
    ys, yt = torch.arange(n) % classes, torch.arange(n) % classes
    source = centers[ys] + torch.randn(n, dim)
    target = centers[yt] + torch.randn(n, dim) + 0.8 * torch.randn(1, dim)
    return (source, ys), (target, yt)


def adversarial_strength(progress, gamma=10.0):
    return 2.0 / (1.0 + math.exp(-gamma * progress)) - 1.0


def train(model, source, target_x, epochs, lr=0.03):
    loader = DataLoader(TensorDataset(*source, target_x), batch_size=30, shuffle=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
    total, step = epochs * len(loader), 0
    for epoch in range(epochs):
        model.train()
        meter = {"label": 0.0, "domain": 0.0}
        for xs, ys, xt in loader:
            strength = adversarial_strength(step / total)
            out_s, out_t = model(xs, strength), model(xt, strength)
            label = F.cross_entropy(out_s["label"], ys)
            logits = torch.cat([out_s["domain"], out_t["domain"]])
            truth = torch.cat([torch.zeros(len(xs)), torch.ones(len(xt))]).long()
            domain = F.cross_entropy(logits, truth)
            optimizer.zero_grad()
            (label + 0.3 * domain).backward()
            optimizer.step()
            step += 1
            meter["label"] += label.item() / len(loader)
            meter["domain"] += domain.item() / len(loader)
        print(epoch, {k: round(v, 4) for k, v in meter.items()})


if __name__ == "__main__":
    torch.manual_seed(55)
    source, target = domains(150)
    net = DANN()
    train(net, source, target[0], epochs=5)
    net.eval()
    with torch.no_grad():
        print("target accuracy", (net(target[0])["label"].argmax(1) == target[1]).float().mean().item())
