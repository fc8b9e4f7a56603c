import torch
from torch import nn
from torch.nn.utils import fuse_conv_bn_eval, fuse_linear_bn_eval

torch.manual_seed(0)
conv, bn = nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2)
bn(torch.randn(4, 2, 3, 3) * 2 + 1)
conv.eval(), bn.eval()
fused = fuse_conv_bn_eval(conv, bn)
x = torch.randn(1, 1, 4, 4)
print(torch.allclose(fused(x), bn(conv(x)), atol=1e-6), fused)
print(fused.bias, type(fused.weight).__name__, fused.weight is conv.weight)
lin, bn1 = nn.Linear(2, 3, bias=False), nn.BatchNorm1d(3)
lin.eval(), bn1.eval()
f = fuse_linear_bn_eval(lin, bn1)
x = torch.randn(2, 2)
print(torch.allclose(f(x), bn1(lin(x)), atol=1e-6), f.bias)
try:
    fuse_linear_bn_eval(nn.Linear(2, 2).eval(), nn.BatchNorm1d(3).eval())
except AssertionError as e:
    print(e)
fuse_conv_bn_eval(conv.train(), bn)
