import torch
from torch import nn
import torch.nn.functional as F

x = torch.arange(16.0).view(1, 4, 2, 2).requires_grad_()
up, down, groups = nn.PixelShuffle(2), nn.PixelUnshuffle(2), nn.ChannelShuffle(2)
print(up, down, groups)
y = up(x)
print(y, y.grad_fn.name(), down(y).equal(x))
(y * torch.arange(16.0).view_as(y)).sum().backward()
print(x.grad)
print(groups(x)[0, :, 0, 0], groups(x).grad_fn.name(), F.pixel_unshuffle(torch.ones(1, 1, 4, 2), 2).shape)
for bad in (lambda: nn.PixelShuffle(3)(x), lambda: nn.PixelUnshuffle(3)(x), lambda: nn.ChannelShuffle(3)(x), lambda: nn.PixelShuffle(2)(torch.ones(4, 2)), lambda: nn.PixelShuffle(-1)(x), lambda: nn.ChannelShuffle(2)(torch.ones(2))):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
