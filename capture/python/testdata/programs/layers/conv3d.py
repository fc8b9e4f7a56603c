import torch
from torch import nn

torch.manual_seed(0)
conv = nn.Conv3d(1, 2, (2, 3, 1), stride=(1, 2, 1), padding=(1, 1, 0))
print(conv)
x = torch.randn(1, 1, 3, 4, 2, requires_grad=True)
y = conv(x)
print(y)
y.pow(2).mean().backward()
print(x.grad)
print(conv.weight.grad.flatten(), conv.bias.grad)
circular = nn.Conv3d(1, 1, 2, padding=1, padding_mode="circular", bias=False)
print(circular, circular(x).shape)
print(nn.Conv3d(2, 2, 3, padding="same", groups=2))
try:
    conv(torch.zeros(1, 4, 2, 2))
except RuntimeError as e:
    print(e)
try:
    nn.Conv3d(1, 1, 2, padding_mode="wrap")
except ValueError as e:
    print(str(e)[-24:])
