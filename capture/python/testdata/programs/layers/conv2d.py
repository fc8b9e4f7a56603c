import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(3)
conv = nn.Conv2d(2, 3, (3, 2), stride=(2, 1), padding=(1, 0), dilation=(1, 2))
print(conv)
print(conv.weight)
print(conv.bias)
x = torch.randn(1, 2, 5, 6, requires_grad=True)
y = conv(x)
print(y)
y.backward(torch.ones_like(y))
print(conv.weight.grad)
print(conv.bias.grad)
print(x.grad)
print(y.grad_fn, y.grad_fn.next_functions)

depthwise = nn.Conv2d(4, 8, 3, padding=1, groups=4, bias=False)
print(depthwise, tuple(depthwise.weight.shape))
print(depthwise(torch.ones(1, 4, 3, 3)).sum((2, 3)))
same = nn.Conv2d(2, 2, 4, padding="same")
print(same, same(x).shape)
print(F.conv2d(x, conv.weight, stride=2).shape, F.conv2d(x, conv.weight, conv.bias, padding="same").shape)
print(F.conv2d(x[0], conv.weight).shape)
small = nn.Sequential(nn.Conv2d(1, 2, 3), nn.ReLU(), nn.Flatten(), nn.Linear(8, 1))
print(small)
loss = small(torch.arange(16.0).view(1, 1, 4, 4) / 16).sum()
loss.backward()
print(loss, small[0].weight.grad)
try:
    nn.Conv2d(2, 3, 3, padding="full")
except ValueError as e:
    print(str(e).split(",")[0])
conv(torch.zeros(1, 3, 5, 6))
