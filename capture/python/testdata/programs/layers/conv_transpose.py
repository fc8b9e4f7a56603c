import torch
from torch import nn

torch.manual_seed(5)
up1 = nn.ConvTranspose1d(2, 3, 4, stride=2, padding=1)
up2 = nn.ConvTranspose2d(2, 2, 3, stride=2, output_padding=1, groups=2, bias=False)
up3 = nn.ConvTranspose3d(1, 2, 2, dilation=2)
cases = [(up1, (1, 2, 5)), (up2, (1, 2, 3, 3)), (up3, (1, 1, 2, 2, 2))]
for layer, shape in cases:
    print(layer)
    print({n: tuple(p.shape) for n, p in layer.named_parameters()})
    x = torch.randn(shape, requires_grad=True)
    y = layer(x)
    print(tuple(y.shape), y.flatten()[:6], y.grad_fn)
    y.pow(2).sum().backward()
    print(x.grad.flatten()[:6])
    print([p.grad.flatten()[:4] for p in layer.parameters()])
x = torch.randn(1, 2, 5)
print(up1(x, output_size=[11]).shape, up1(x, output_size=(1, 3, 10)).shape, up1(x, (10,)).shape)
down = nn.Conv2d(2, 2, 3, stride=2, padding=1)
up = nn.ConvTranspose2d(2, 2, 3, stride=2, padding=1)
z = torch.randn(1, 2, 6, 6)
h = down(z)
print(h.shape, up(h).shape, up(h, output_size=z.size()).shape)
for bad in (
    lambda: up1(x, output_size=[13]),
    lambda: up1(x, output_size=[1, 2, 3, 4]),
    lambda: nn.ConvTranspose1d(2, 2, 2, padding_mode="reflect"),
    lambda: nn.ConvTranspose2d(2, 2, 3, stride=2, output_padding=2)(h),
    lambda: up(torch.zeros(1, 3, 2, 2)),
):
    try:
        bad()
    except Exception as e:
        print(type(e).__name__, e)
