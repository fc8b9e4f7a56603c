import torch
from torch import nn
from torch.nn.utils import skip_init

torch.manual_seed(0)
m = skip_init(nn.Linear, 3, 2, bias=False)
print(m, m.weight.shape, m.weight.dtype, torch.rand(1))
nn.init.ones_(m.weight)
print(m(torch.ones(3)))
d = skip_init(nn.Conv2d, 1, 2, 3, dtype=torch.float64)
print(d.weight.dtype, d.bias.shape)
nn.init.zeros_(d.weight), nn.init.zeros_(d.bias)


class Odd(nn.Module):
    def __init__(self):
        super().__init__()


for bad in (lambda: skip_init(Odd), lambda: skip_init(dict)):
    try:
        bad()
    except RuntimeError as e:
        print(e)
