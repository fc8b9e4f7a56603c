import torch
from torch import nn

torch.manual_seed(0)
layer = nn.Linear(3, 2)
print(layer)
print(list(layer.state_dict()))
print(layer.weight)
print(layer.bias)
x = torch.randn(4, 3, requires_grad=True)
y = layer(x)
print(y)
y.pow(2).sum().backward()
print(x.grad)
print(layer.weight.grad)
print(layer.bias.grad)

plain = nn.Linear(3, 2, bias=False)
print(plain, plain.bias, [name for name, _ in plain.named_parameters()])
print(plain(torch.ones(3)), plain(torch.ones(2, 2, 3)).shape)

double = nn.Linear(2, 2, dtype=torch.float64)
print(double.weight.dtype, double(torch.ones(2, dtype=torch.float64)))

for call in (
    lambda: layer(torch.ones(4, 2)),
    lambda: layer(torch.ones(2)),
    lambda: layer(torch.ones(4, 3, dtype=torch.float64)),
    lambda: nn.Linear(3),
    lambda: layer(),
    lambda: layer(x, x),
    lambda: nn.Linear(2, 2, 1, 2, 3, 4),
    lambda: layer([1.0, 2.0, 3.0]),
):
    try:
        print(call())
    except Exception as e:
        print(type(e).__name__, e)
