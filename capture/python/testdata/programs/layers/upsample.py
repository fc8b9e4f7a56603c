import torch
from torch import nn
import torch.nn.functional as F

x = torch.arange(4.0).view(1, 1, 2, 2).requires_grad_()
layers = [
    nn.Upsample(scale_factor=2), nn.Upsample(size=3), nn.Upsample(scale_factor=2, mode="bilinear"), nn.Upsample((3, 4), mode="bilinear", align_corners=True),
    nn.Upsample(scale_factor=(1.5, 2.0), mode="nearest-exact"), nn.Upsample(scale_factor=2, mode="bicubic", align_corners=False), nn.UpsamplingNearest2d(scale_factor=2),
    nn.UpsamplingBilinear2d(size=(3, 3)), nn.Upsample(scale_factor=1.6, mode="bilinear", recompute_scale_factor=True),
]
for layer in layers:
    x.grad = None
    y = layer(x)
    print(layer)
    print(y, y.grad_fn.name())
    (y * torch.arange(y.numel()).view_as(y)).sum().backward()
    print(x.grad)
print(F.interpolate(torch.arange(3.0).view(1, 1, 3), 5, mode="linear"), F.interpolate(torch.arange(3.0).view(1, 1, 3), scale_factor=2))
print(F.interpolate(torch.arange(8.0).view(1, 1, 2, 2, 2), scale_factor=1.5, mode="trilinear").shape, F.interpolate(torch.ones(1, 1, 2, 2, 2), 3).shape)
print(F.interpolate(x, (1, 1), mode="area"), F.upsample(x, 3).shape, F.upsample_nearest(x, scale_factor=2).shape, F.upsample_bilinear(x, 3))
for bad in (
    lambda: F.interpolate(x), lambda: F.interpolate(x, 2, 2), lambda: F.interpolate(x, 3, mode="linear"), lambda: F.interpolate(x, 3, mode="cubic"), lambda: F.interpolate(x, 3, align_corners=True),
    lambda: F.interpolate(x, (2, 3, 4)), lambda: F.interpolate(x, scale_factor=(1, 2, 3)), lambda: F.interpolate(x, 3, recompute_scale_factor=True), lambda: F.interpolate(torch.ones(2, 2), 3), lambda: F.interpolate(x, 0),
    lambda: F.interpolate(x.long(), 3),
):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
