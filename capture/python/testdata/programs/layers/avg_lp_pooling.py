import torch
from torch import nn

torch.manual_seed(0)
cases = [
    (nn.AvgPool1d(3, stride=2), (1, 2, 7)),
    (nn.AvgPool1d(2, padding=1, count_include_pad=False), (2, 5)),
    (nn.AvgPool2d(3, stride=2, padding=1), (1, 1, 5, 5)),
    (nn.AvgPool2d((2, 3), ceil_mode=True), (1, 1, 5, 5)),
    (nn.AvgPool2d(2, divisor_override=3), (1, 1, 4, 4)),
    (nn.AvgPool3d(2, stride=1), (1, 1, 3, 3, 3)),
    (nn.AvgPool3d((1, 2, 2), count_include_pad=False, padding=(0, 1, 1)), (1, 1, 2, 2, 2)),
    (nn.LPPool1d(2, 3), (1, 2, 7)),
    (nn.LPPool2d(1.5, 2, stride=1), (1, 1, 3, 3)),
    (nn.LPPool3d(3, 2, ceil_mode=True), (1, 1, 3, 3, 3)),
]
for layer, shape in cases:
    x = torch.rand(shape, requires_grad=True)
    y = layer(x)
    print(layer)
    print(tuple(y.shape), y.flatten()[:6], y.grad_fn.name())
    y.pow(2).sum().backward()
    print(x.grad.flatten()[:6])
print(cases[0][0].kernel_size, cases[2][0].kernel_size, cases[3][0].stride, vars(cases[5][0])["padding"])
for bad in (
    lambda: nn.AvgPool1d(2)(torch.ones(4)),
    lambda: nn.AvgPool2d(2, padding=2)(torch.ones(1, 4, 4)),
    lambda: nn.AvgPool2d(5)(torch.ones(1, 4, 4)),
    lambda: nn.AvgPool2d(2, divisor_override=0)(torch.ones(1, 4, 4)),
    lambda: nn.LPPool2d(2),
    lambda: nn.AvgPool2d(2)(torch.ones(1, 1, 4, 4, dtype=torch.int64)),
):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
