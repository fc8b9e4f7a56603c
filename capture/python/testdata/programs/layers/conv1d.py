import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(2, 4, 9, requires_grad=True)
layers = [
    nn.Conv1d(4, 2, 3),
    nn.Conv1d(4, 6, 3, stride=2, padding=1, bias=False),
    nn.Conv1d(4, 4, 2, groups=2, dilation=3),
    nn.Conv1d(4, 2, 4, padding="same"),
    nn.Conv1d(4, 2, 3, padding="valid"),
    nn.Conv1d(4, 2, 3, padding=2, padding_mode="reflect"),
    nn.Conv1d(4, 2, 3, padding=2, padding_mode="replicate"),
    nn.Conv1d(4, 2, 3, padding=2, padding_mode="circular"),
]
for layer in layers:
    print(layer)
    x.grad = None
    y = layer(x)
    print(tuple(y.shape), y.sum(), y.flatten()[:5])
    y.pow(2).sum().backward()
    print(x.grad.flatten()[:5], [(n, tuple(p.grad.shape), p.grad.flatten()[:4]) for n, p in layer.named_parameters()])
print(layers[0](x[0]).shape, layers[0].kernel_size, layers[0].stride, layers[0].padding, layers[0].dilation)
print(layers[3].padding, layers[5]._reversed_padding_repeated_twice)
for bad in (
    lambda: nn.Conv1d(4, 2, 3)(torch.zeros(2, 3, 9)),
    lambda: nn.Conv1d(4, 2, 12)(x),
    lambda: nn.Conv1d(4, 2, 3)(torch.zeros(4)),
    lambda: nn.Conv1d(4, 2, 3, groups=3),
    lambda: nn.Conv1d(4, 3, 3, groups=2),
    lambda: nn.Conv1d(4, 4, 3, groups=0),
    lambda: nn.Conv1d(4, 4, 3, stride=2, padding="same"),
):
    try:
        bad()
    except Exception as e:
        print(type(e).__name__, e)
