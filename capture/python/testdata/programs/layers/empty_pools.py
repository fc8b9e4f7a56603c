import torch
import torch.nn as nn
import torch.nn.functional as F

images = torch.ones(1, 4, 6, 5, requires_grad=True)
rows = torch.ones(1, 8, requires_grad=True)

for layer, x in (
    (nn.AdaptiveAvgPool2d(0), images),
    (nn.AdaptiveMaxPool2d((3, 0)), images),
    (nn.AdaptiveAvgPool3d(0), images),
    (nn.AdaptiveMaxPool3d((2, 0, 2)), images),
    (nn.AdaptiveAvgPool1d(0), rows),
    (nn.AdaptiveMaxPool1d(0), rows),
):
    out = layer(x)
    print(layer, tuple(out.shape))
    try:
        out.sum().backward()
        print("no error")
    except RuntimeError as e:
        print(e)

for n, pool in ((1, F.max_pool1d), (2, F.max_pool2d), (3, F.max_pool3d)):
    x = torch.ones([1, 1] + [4] * n)
    for indices in (False, True):
        try:
            print(pool(x, 3, stride=2, dilation=2, return_indices=indices))
        except RuntimeError as e:
            print(e)

values, places = F.max_pool1d(torch.tensor([[1.0, 3.0, 2.0, 5.0]]), 2, return_indices=True)
print(values, places)
