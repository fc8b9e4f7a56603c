import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(1, 5, 2, 2, requires_grad=True)
for layer in (nn.LocalResponseNorm(2), nn.LocalResponseNorm(3, alpha=0.5, beta=0.9, k=2.0), nn.CrossMapLRN2d(3, 0.5), nn.CrossMapLRN2d(5, alpha=0.1, beta=0.6, k=1.5)):
    print(layer)
    x.grad = None
    y = layer(x)
    print(y, y.grad_fn.name())
    y.pow(2).sum().backward()
    print(x.grad)
print(nn.LocalResponseNorm(2)(torch.ones(2, 3, 4)).shape, nn.LocalResponseNorm(2)(torch.ones(1, 2, 2, 2, 2)).sum())
for bad in (lambda: nn.LocalResponseNorm(2)(torch.ones(2, 2)), lambda: nn.CrossMapLRN2d(3)(torch.ones(2, 2, 2))):
    try:
        bad()
    except Exception as e:
        print(type(e).__name__, e)
