import torch
import torch.nn.functional as F

image = torch.arange(48.0).view(1, 1, 6, 8).requires_grad_()

for mode in ("bilinear", "bicubic"):
    for how in ({"size": (2, 3)}, {"scale_factor": 0.6}, {"size": (9, 4)}, {"size": (3, 3), "align_corners": True}):
        image.grad = None
        small = F.interpolate(image, mode=mode, antialias=True, **how)
        small.square().mean().backward()
        print(mode, how, tuple(small.shape), small.grad_fn.name())
        print([round(v, 2) for v in small.flatten().tolist()])
        print([round(v, 2) for v in image.grad[0, 0, ::2, ::3].flatten().tolist()])

plain = F.interpolate(image, size=(2, 3), mode="bilinear")
smooth = F.interpolate(image, size=(2, 3), mode="bilinear", antialias=True)
print((plain - smooth).abs().max() > 0)

for bad in ({"mode": "nearest"}, {"mode": "area"}):
    try:
        F.interpolate(image, size=3, antialias=True, **bad)
    except ValueError as e:
        print(e)
