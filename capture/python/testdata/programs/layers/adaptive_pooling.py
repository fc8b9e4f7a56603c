import torch
from torch import nn

torch.manual_seed(0)
cases = [
    (nn.AdaptiveAvgPool1d(3), (1, 2, 7)), (nn.AdaptiveAvgPool2d((2, None)), (1, 2, 5, 3)), (nn.AdaptiveAvgPool2d(1), (1, 2, 4, 4)),
    (nn.AdaptiveAvgPool3d((1, 2, 3)), (1, 1, 3, 4, 5)), (nn.AdaptiveMaxPool1d(4), (1, 2, 6)), (nn.AdaptiveMaxPool2d((None, 2)), (1, 1, 3, 5)),
    (nn.AdaptiveMaxPool3d(2), (1, 1, 3, 3, 3)), (nn.AdaptiveAvgPool2d((3, 3)), (2, 5, 5)),
]
for layer, shape in cases:
    x = torch.randn(shape, requires_grad=True)
    y = layer(x)
    print(layer, tuple(y.shape))
    print(y.flatten()[:6], y.grad_fn.name())
    y.pow(2).sum().backward()
    print(x.grad.flatten()[:6])
pool = nn.AdaptiveMaxPool2d(2, return_indices=True)
print(pool, pool(torch.arange(9.0).view(1, 3, 3)))
print(nn.AdaptiveMaxPool1d(2, return_indices=True)(torch.tensor([[3.0, 1, 2]])))
for bad in (
    lambda: nn.AdaptiveAvgPool2d(2)(torch.ones(3)),
    lambda: nn.AdaptiveMaxPool1d(2)(torch.ones(3)),
    lambda: nn.AdaptiveAvgPool2d((1, 2, 3))(torch.ones(1, 1, 3, 3)),
    lambda: nn.AdaptiveAvgPool2d(-1)(torch.ones(1, 1, 3, 3)),
    lambda: nn.AdaptiveAvgPool3d((None, 1, 1))(torch.ones(2, 2)),
):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
