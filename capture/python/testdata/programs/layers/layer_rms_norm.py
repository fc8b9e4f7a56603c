import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)
x = torch.randn(2, 3, 4, requires_grad=True)
for layer in (nn.LayerNorm(4), nn.LayerNorm((3, 4), eps=1e-3), nn.LayerNorm(4, elementwise_affine=False), nn.LayerNorm([4], bias=False), nn.RMSNorm(4), nn.RMSNorm([3, 4], eps=1e-2, elementwise_affine=False)):
    print(layer, layer.normalized_shape)
    print({k: tuple(v.shape) for k, v in layer.state_dict().items()})
    x.grad = None
    y = layer(x)
    print(y[0])
    (y * torch.arange(24.0).view_as(y)).sum().backward()
    print(x.grad[0])
    print([(n, p.grad) for n, p in layer.named_parameters()])
print(F.layer_norm(x, (4,)).sum().item() < 1e-5, F.rms_norm(x, (4,), torch.full((4,), 2.0))[0, 0])
for bad in (lambda: nn.LayerNorm(3)(x), lambda: nn.LayerNorm((2, 4))(x), lambda: F.layer_norm(x, ()), lambda: F.rms_norm(x, [3]), lambda: F.layer_norm(x, (4,), torch.ones(3)), lambda: nn.LayerNorm(4)(x.double())):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
