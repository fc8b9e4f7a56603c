import torch
import torch.nn.functional as F

def fill(*shape):
    n = 1
    for s in shape:
        n *= s
    return ((torch.arange(float(n)) * 7 % 11 - 5) / 4).reshape(shape).requires_grad_()


x1, w1, b = fill(1, 2, 5), fill(4, 2, 3), fill(4)
x2, w2 = fill(1, 2, 4, 4), fill(4, 2, 2, 2)
x3, w3 = fill(1, 2, 3, 3, 3), fill(4, 2, 2, 2, 2)
calls = [
    lambda: F.conv1d(x1, w1), lambda: F.conv1d(x1, w1, b, stride=2, padding=1), lambda: F.conv1d(x1, w1, padding="same"), lambda: F.conv1d(x1, w1, b, padding="valid", dilation=2), lambda: F.conv1d(x1, fill(4, 1, 3), groups=2),
    lambda: F.conv2d(x2, w2, b), lambda: F.conv2d(x2, w2, stride=(2, 1), padding=(0, 1)), lambda: F.conv2d(x2, w2, b, padding="same"), lambda: F.conv2d(x2, fill(2, 1, 2, 2), groups=2, dilation=2),
    lambda: F.conv3d(x3, w3, b), lambda: F.conv3d(x3, w3, padding=1, stride=2), lambda: F.conv3d(x3, w3, padding="valid"),
    lambda: F.conv_transpose1d(x1, fill(2, 3, 3)), lambda: F.conv_transpose1d(x1, fill(2, 3, 3), fill(3), stride=2, padding=1, output_padding=1),
    lambda: F.conv_transpose2d(x2, fill(2, 3, 2, 2), fill(3), stride=2), lambda: F.conv_transpose2d(x2, fill(2, 1, 2, 2), groups=2, dilation=2), lambda: F.conv_transpose3d(x3, fill(2, 1, 2, 2, 2), stride=2),
    lambda: torch.conv1d(x1, w1), lambda: torch.conv2d(x2, w2, b), lambda: torch.conv3d(x3, w3), lambda: torch.conv_transpose2d(x2, fill(2, 3, 2, 2)), lambda: torch.convolution(x2, w2, b, (1, 1), (0, 0), (1, 1), False, (0, 0), 1), lambda: F.conv2d(x2[0], w2),
]
for i, call in enumerate(calls):
    y = call()
    inputs = [x1, x2, x3, w1, w2, w3, b]
    grads = torch.autograd.grad((y * y).sum(), inputs, allow_unused=True)
    print(i, tuple(y.shape), y.flatten()[:4], y.sum(), y.grad_fn.name(), [None if g is None else round(g.sum().item(), 2) for g in grads])
for bad in (lambda: F.conv1d(x1, torch.ones(4, 3, 3)), lambda: F.conv2d(x2, w1), lambda: F.conv1d(x1, torch.ones(4, 2, 9)), lambda: F.conv2d(x2, w2, torch.ones(3)), lambda: F.conv2d(x2, w2, stride=0), lambda: F.conv2d(x2, w2, padding=-1), lambda: F.conv2d(x2, w2, padding="no"), lambda: F.conv1d(x1, w1, stride=2, padding="same"), lambda: F.conv2d(x2, w2, groups=3), lambda: F.conv2d(x2.double(), w2), lambda: F.conv_transpose1d(x1, torch.ones(3, 1, 1)), lambda: F.conv2d(torch.ones(3), w2), lambda: F.conv1d(x1, w1, stride=(1, 2))):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
