import torch
from torch import nn

torch.manual_seed(1)
b = nn.Bilinear(2, 3, 4)
print(b)
print({k: tuple(v.shape) for k, v in b.state_dict().items()})
x1 = torch.randn(5, 2, requires_grad=True)
x2 = torch.randn(5, 3, requires_grad=True)
y = b(x1, x2)
print(y)
y.sum().backward()
print(x1.grad)
print(x2.grad)
print(b.weight.grad)
print(b.bias.grad)
print(nn.Bilinear(2, 3, 1, bias=False))

i = nn.Identity(54, unused=True)
print(i, i(x1) is x1, list(i.parameters()))
try:
    b(x1, x1)
except RuntimeError as e:
    print(e)
try:
    b(x1)
except TypeError as e:
    print(e)
