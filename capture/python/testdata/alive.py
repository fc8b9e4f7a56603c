# Two passes of a net whose nodes save views and intermediate results that Python never sees,
# and how many nodes PyTorch has after each: it says so itself.
import json
import weakref

import torch
from torch import nn


class Mark:
    pass


marks = weakref.WeakSet()


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.inner, self.outer = nn.GroupNorm(2, 4), nn.Linear(4, 12), nn.Linear(4, 4)

    def forward(self, x):
        b, c, h, w = x.shape
        y = self.norm(x).view(b, c, h * w).transpose(1, 2)
        q, k, v = self.inner(y).view(b, -1, 2, 6).transpose(1, 2).chunk(3, -1)
        y = (q @ k.transpose(-1, -2) / 2).softmax(-1) @ v
        y = self.outer(y.transpose(1, 2).reshape(b, -1, c))
        return x + y.transpose(1, 2).reshape(b, c, h, w)


class Block(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.norm, self.conv, self.time = nn.GroupNorm(2, channels), nn.Conv2d(channels, 4, 3, padding=1), nn.Linear(8, 4)
        self.skip, self.attention = nn.Conv2d(channels, 4, 1), Attention()

    def forward(self, x, t):
        y = self.conv(nn.functional.silu(self.norm(x))) + self.time(nn.functional.silu(t))[:, :, None, None]
        return self.attention(self.skip(x) + y)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.ModuleList([Block(4) for _ in range(2)])
        self.up = nn.ModuleList([Block(8) for _ in range(2)])

    def forward(self, x, t):
        skips = []
        for block in self.down:
            x = block(x, t)
            skips.append(x)
        for block in self.up:
            x = block(torch.cat([x, skips.pop()], 1), t)
        return x


def mark(loss):
    todo = [loss.grad_fn]
    while todo:
        g = todo.pop()
        if "mark" not in g.metadata:
            g.metadata["mark"] = m = Mark()
            marks.add(m)
            todo += [h for h, _ in g.next_functions if h is not None]


net = Net()
made = []
for _ in range(2):
    loss = net(torch.randn(2, 4, 4, 4), torch.randn(2, 8)).square().mean()
    mark(loss)
    loss.backward()
    made.append(len(marks))
    net.zero_grad(set_to_none=True)
    del loss
    made.append(len(marks))
with open("alive.json", "w") as file:
    json.dump(made, file)
