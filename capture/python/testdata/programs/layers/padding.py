import torch
from torch import nn
import torch.nn.functional as F

x1 = torch.arange(6.0).view(1, 2, 3)
x2 = torch.arange(9.0).view(1, 1, 3, 3)
x3 = torch.arange(8.0).view(1, 1, 2, 2, 2)
pads = [
    (nn.ConstantPad1d(2, 3.5), x1), (nn.ConstantPad2d((1, 0, 2, 1), -1), x2), (nn.ConstantPad3d(1, 0.5), x3),
    (nn.ZeroPad1d((1, 2)), x1), (nn.ZeroPad2d((-1, 1, 0, -1)), x2), (nn.ZeroPad3d((1, 0, 1, 0, 0, 1)), x3),
    (nn.ReflectionPad1d(2), x1), (nn.ReflectionPad2d((1, 2, 0, 1)), x2), (nn.ReflectionPad3d(1), x3),
    (nn.ReplicationPad1d((3, 1)), x1), (nn.ReplicationPad2d(1), x2), (nn.ReplicationPad3d((2, 0, 1, 0, 0, 1)), x3),
    (nn.CircularPad1d(1), x1), (nn.CircularPad2d((1, 1, 2, 0)), x2), (nn.CircularPad3d(1), x3),
]
for pad, x in pads:
    x = x.clone().requires_grad_()
    y = pad(x)
    (y * torch.arange(y.numel()).view_as(y)).sum().backward()
    print(pad, pad.padding, tuple(y.shape))
    print(y.detach().flatten()[:12].tolist(), y.grad_fn.name())
    print(x.grad.flatten().tolist())
for bad in (
    lambda: nn.CircularPad1d(1)(x2), lambda: nn.CircularPad2d(1)(x1[0]), lambda: nn.CircularPad3d(1)(x2[0]),
    lambda: nn.ReflectionPad1d(3)(x1), lambda: nn.ReflectionPad2d(1)(x1[0]), lambda: nn.CircularPad1d(4)(x1),
    lambda: F.pad(x1, (1, 1), mode="mirror"), lambda: F.pad(x1, (1, 1, 1)), lambda: F.pad(x1, (1, 1), "reflect", 2.0),
    lambda: nn.ConstantPad1d(1), lambda: nn.ReplicationPad2d(1)(x2.int()), lambda: nn.ZeroPad2d((-3, 0, 0, 0))(x2).shape,
):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
