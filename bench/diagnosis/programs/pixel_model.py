"""An autoregressive model of tiny images with masked convolutions."""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(118)


class MaskedConv2d(nn.Conv2d):
    def __init__(self, kind, *arguments, **named):
        super().__init__(*arguments, **named)
        rows, columns = self.kernel_size
        mask = torch.ones(rows, columns)
        mask[rows // 2, columns // 2 + (kind == "B") :] = 0
        mask[rows // 2 + 1 :] = 0
        self.register_buffer("mask", mask)

    def forward(self, x):
        weight = self.weight * self.mask
        return F.conv2d(x, weight, self.bias, padding=self.padding)


class Gate(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv = MaskedConv2d("B", channels, 2 * channels, 3, padding=1)
        self.out = nn.Conv2d(channels, channels, 1)

    def forward(self, x):
        value, gate = self.conv(x).chunk(2, dim=1)
        gated = torch.tanh(value) * torch.sigmoid(gate)
        return x + self.out(gated)


class PixelModel(nn.Module):
    def __init__(self, channels, depth):
        super().__init__()
        self.first = MaskedConv2d("A", 1, channels, 5, padding=2)
        self.gates = nn.ModuleList([Gate(channels) for _ in range(depth)])
        self.last = nn.Conv2d(channels, 1, 1)

    def forward(self, images):
        h = self.first(images)
        for gate in self.gates:
            h = gate(h)
        return self.last(torch.relu(h))


def stripes(n):
    phase = torch.randint(0, 3, (n, 1, 1, 1))
    grid = (torch.arange(6) + torch.arange(6).unsqueeze(1)).view(1, 1, 6, 6)
    return ((grid + phase) % 3 == 0).float()


@torch.no_grad()
def sample(model, n):
    images = torch.zeros(n, 1, 6, 6)
    for row in range(6):
        for column in range(6):
            chance = torch.sigmoid(model(images)[:, 0, row, column])
            images[:, 0, row, column] = torch.bernoulli(chance)
    return images


model = PixelModel(8, depth=2)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for step in range(10):
    images = stripes(16)
    logits = model(images)
    loss = F.binary_cross_entropy_with_logits(logits, images, reduction="sum") / len(images)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print("step", step, "nats per image %.3f" % loss.item())
model.eval()
print("share of ones %.3f" % sample(model, 2).mean().item())
