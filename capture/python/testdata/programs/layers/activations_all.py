import torch
from torch import nn

values = torch.tensor([[-4.0, -1.5, -0.6, -0.25], [0.0, 0.3, 0.75, 5.0]])
layers = [
    nn.ReLU(), nn.ReLU6(), nn.ELU(), nn.ELU(alpha=0.5), nn.SELU(), nn.CELU(), nn.CELU(2.0), nn.GELU(), nn.GELU("tanh"), nn.SiLU(), nn.Mish(),
    nn.LeakyReLU(), nn.LeakyReLU(0.2), nn.Hardtanh(), nn.Hardtanh(-2, 0.5), nn.Hardsigmoid(), nn.Hardswish(), nn.Hardshrink(), nn.Hardshrink(1),
    nn.Softshrink(), nn.Softshrink(0.1), nn.Softplus(), nn.Softplus(beta=2, threshold=1), nn.Softsign(), nn.Tanhshrink(), nn.Tanh(), nn.Sigmoid(),
    nn.LogSigmoid(), nn.Threshold(0.1, 20), nn.GLU(), nn.GLU(0), nn.Softmax(dim=1), nn.LogSoftmax(dim=0), nn.Softmin(dim=1), nn.RReLU().eval(),
]
for layer in layers:
    x = values.clone().requires_grad_()
    y = layer(x)
    (y * torch.arange(1.0, y.numel() + 1).view_as(y)).sum().backward()
    print(layer, y.grad_fn.name())
    print(y.detach())
    print(x.grad)
