import torch
from torch import nn

torch.manual_seed(0)
m = nn.LazyLinear(2)
print(m, m.weight, m.has_uninitialized_params(), list(m.state_dict()))
try:
    m.weight.shape
except RuntimeError as e:
    print(e)
y = m(torch.ones(1, 3))
print(m, m.weight.shape, y.shape, type(m).__name__, type(m.weight).__name__, m.in_features)
print(m.has_uninitialized_params() if hasattr(m, "has_uninitialized_params") else "plain now")
net = nn.Sequential(nn.LazyConv2d(2, 3), nn.ReLU(), nn.Flatten(), nn.LazyLinear(1))
print(net)
print(net(torch.ones(1, 1, 5, 5)).shape)
print(net)
a = nn.LazyLinear(2)
print(a.load_state_dict(m.state_dict()), a.weight.shape, torch.equal(a.bias, m.bias))
b = nn.LazyBatchNorm1d()
print(b, b.running_mean)
b(torch.randn(4, 3))
print(b, b.running_mean.shape)
print(nn.parameter.UninitializedParameter(), isinstance(a.weight, nn.Parameter), nn.parameter.is_lazy(nn.LazyLinear(1).bias))
