"""The same operation under modes that change what it gives or what it does."""

import torch
from torch.autograd import forward_ad

ints = torch.tensor([1, 2])
w = torch.tensor([1.0, 2.0], requires_grad=True)


def ratio():
    return (ints / 2).dtype


for dtype in (torch.float32, torch.float32, torch.float64, torch.float64, torch.float32):
    torch.set_default_dtype(dtype)
    for _ in range(3):
        print(ratio(), torch.zeros(2).dtype, (ints * 0.5).dtype)


def product():
    return (w * 3.0).requires_grad


for _ in range(2):
    print([product() for _ in range(3)])
    with torch.no_grad():
        print([product() for _ in range(3)])
    with torch.inference_mode():
        y = w * 3.0
        y = w * 3.0
        print(y.is_inference(), [product() for _ in range(3)])
    z = w * 3.0
    print(z.is_inference(), (y + 1.0).is_inference())
    try:
        w * y
    except RuntimeError as e:
        print(str(e).split(".")[0])

packed = []


def pack(t):
    packed.append(tuple(t.shape))
    return t


for _ in range(3):
    l = (w * w).sum()
with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
    for _ in range(3):
        l = (w * w).sum()
        print(packed)
l.backward()
for _ in range(3):
    l = (w * w).sum()
print(len(packed), w.grad)

x = torch.ones(2)
for _ in range(3):
    y = x * 4.0
with forward_ad.dual_level():
    d = forward_ad.make_dual(x, torch.tensor([1.0, 2.0]))
    for _ in range(3):
        print(forward_ad.unpack_dual(d * 4.0).tangent, forward_ad.unpack_dual(x * 4.0).tangent)

with torch.autograd.detect_anomaly(check_nan=True):
    for _ in range(3):
        l = torch.sqrt(w * 0.0 - 1.0).sum()
    try:
        l.backward()
    except RuntimeError as e:
        print(str(e).split("'")[1])


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        y = x * x
        return y * 1.0

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * x * 2.0


for _ in range(3):
    w.grad = None
    Square.apply(w * 1.0).sum().backward()
    print(w.grad)

w.register_hook(lambda g: g * 2.0)
for _ in range(3):
    w.grad = None
    (w * 3.0).sum().backward()
    print(w.grad)
