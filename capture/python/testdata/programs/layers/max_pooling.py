import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(1, 2, 6, 6, requires_grad=True)
layers = [
    nn.MaxPool2d(2), nn.MaxPool2d(3, stride=2, padding=1), nn.MaxPool2d((3, 2), stride=(2, 1), dilation=(1, 2)),
    nn.MaxPool2d(4, ceil_mode=True), nn.MaxPool2d(kernel_size=2, stride=None),
]
for layer in layers:
    print(layer)
    x.grad = None
    y = layer(x)
    y.sum().backward()
    print(tuple(y.shape), y.flatten()[:5], int((x.grad != 0).sum()), x.grad.sum())
pool, unpool = nn.MaxPool2d(2, stride=2, return_indices=True), nn.MaxUnpool2d(2, stride=2)
values, where = pool(x)
print(pool, unpool)
print(where)
back = unpool(values, where)
print(back[0, 0])
back.pow(2).sum().backward()
print(unpool(values, where, output_size=(7, 6)).shape)
pool1, unpool1 = nn.MaxPool1d(2, return_indices=True), nn.MaxUnpool1d(2)
print(pool1, unpool1, pool1(torch.tensor([[[1.0, 3, 2, 5, 4]]])))
print(unpool1(*pool1(torch.tensor([[[1.0, 3, 2, 5, 4]]])), output_size=torch.Size([1, 1, 5])))
pool3, unpool3 = nn.MaxPool3d(2, return_indices=True), nn.MaxUnpool3d(2)
v, i = pool3(torch.arange(16.0).view(1, 1, 2, 2, 4))
print(pool3, unpool3, v, i, unpool3(v, i))
print(nn.MaxPool1d(3, stride=1)(x[0]).shape, nn.MaxPool3d(2)(torch.ones(1, 2, 2, 2)))
for bad in (
    lambda: nn.MaxPool2d(2)(torch.ones(2, 2)),
    lambda: nn.MaxPool2d(2, padding=2)(x),
    lambda: nn.MaxPool2d(7)(x),
    lambda: nn.MaxPool2d(),
    lambda: unpool(values, where, output_size=(20, 20)),
    lambda: unpool(values, where[:, :1]),
    lambda: unpool(values, where, output_size=(7,)),
    lambda: nn.MaxPool1d(2)(torch.ones(4)),
):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
