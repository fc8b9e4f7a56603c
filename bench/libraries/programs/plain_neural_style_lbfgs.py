"""Optimises an image with L-BFGS towards content and Gram matrices of a fixed network.

packages: torch
"""
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 8, 3, padding=1)).requires_grad_(False).eval()


def gram(f):
    f = f.flatten(2)
    return f @ f.transpose(1, 2) / f.shape[-1]


content, style = torch.rand(1, 3, 16, 16), torch.rand(1, 3, 16, 16)
with torch.no_grad():
    wanted, wanted_style = net(content), gram(net(style))
image = content.clone().requires_grad_(True)
optimizer = torch.optim.LBFGS([image], max_iter=4)
for step in range(3):
    def closure():
        with torch.no_grad():
            image.clamp_(0, 1)
        optimizer.zero_grad()
        f = net(image)
        loss = (f - wanted).pow(2).mean() + 10 * (gram(f) - wanted_style).pow(2).mean()
        loss.backward()
        return loss

    print(step, round(optimizer.step(closure).item(), 5))
with torch.no_grad():
    image.clamp_(0, 1)
