import torch
import torch.nn as nn
import torch.nn.functional as F

image = torch.ones(1, 3, 4, 4)
calls = {
    "float sizes": dict(size=(4 / 2, 4 / 2)),
    "a list": dict(size=[2.0, 2]),
    "tensors": dict(size=(torch.tensor(2.0), torch.tensor(2.0))),
    "one of two": dict(size=(2,)),
    "three": dict(size=[2, 2, 2]),
    "factor": dict(scale_factor=(2.0,)),
    "factors": dict(scale_factor=[2.0, 1.0, 1.0]),
    "both": dict(size=(2, 2), scale_factor=2),
    "neither": dict(),
    "corners": dict(size=(2, 2), align_corners=True),
    "mode": dict(size=(2, 2), mode="trilinear"),
}
for name, options in calls.items():
    try:
        F.interpolate(image, **options)
    except Exception as e:
        print(f"{name}: {type(e).__name__}: {e}")

print(F.interpolate(image, size=(torch.tensor(2), torch.tensor(3))).shape)
print(nn.Upsample(size=(8, 2))(image).shape)
try:
    nn.Upsample(size=(image.shape[2] * 1.5, 8))(image)
except TypeError as e:
    print(e)
