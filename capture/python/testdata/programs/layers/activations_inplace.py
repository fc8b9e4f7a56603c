import torch
from torch import nn
import torch.nn.functional as F

layers = [
    nn.ReLU(inplace=True), nn.ReLU6(True), nn.ELU(0.5, True), nn.SELU(True), nn.CELU(inplace=True), nn.SiLU(inplace=True), nn.Mish(inplace=True),
    nn.LeakyReLU(0.1, inplace=True), nn.Hardtanh(inplace=True), nn.Hardsigmoid(inplace=True), nn.Hardswish(inplace=True), nn.Threshold(0.1, 2, inplace=True),
    nn.RReLU(inplace=True).eval(), nn.Dropout(0.0, inplace=True), nn.Hardtanh(-1, 2, True),
]
for layer in layers:
    leaf = torch.tensor([-2.0, -0.5, 0.25, 3.0], requires_grad=True)
    x = leaf * 1
    y = layer(x)
    y.sum().backward()
    print(layer, y is x, x._version, x.grad_fn.name(), x.detach(), leaf.grad)
for f in (F.relu_, F.elu_, F.selu_, F.celu_, F.leaky_relu_, F.hardtanh_, lambda t: F.threshold_(t, 0.0, 7.0), lambda t: F.rrelu_(t, 0.1, 0.3)):
    t = torch.tensor([-1.0, 2.0])
    print(f(t) is t, t)
x = torch.tensor([1.0, -1.0], requires_grad=True)
y = x.exp()
nn.ReLU(inplace=True)(y)
try:
    y.sum().backward()
except RuntimeError as e:
    print(e)
nn.ReLU(inplace=True)(x)
