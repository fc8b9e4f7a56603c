import torch
from torch import nn
import torch.nn.functional as F

unfold = nn.Unfold(kernel_size=(2, 3), padding=(0, 1), stride=2)
fold = nn.Fold(output_size=(4, 5), kernel_size=(2, 3), padding=(0, 1), stride=2)
print(unfold)
print(fold)
x = torch.arange(20.0).reshape(1, 1, 4, 5).requires_grad_()
blocks = unfold(x)
print(blocks.shape)
print(blocks)
image = fold(blocks)
print(image)
image.sum().backward()
print(x.grad)
print(blocks.grad_fn, image.grad_fn)
print(F.unfold(x, 2, dilation=2).shape, F.fold(torch.ones(1, 4, 4), (3, 3), 2))
print(F.unfold(x[0], 2).shape)
for bad in (lambda: fold(torch.ones(1, 5, 4)), lambda: fold(torch.ones(1, 6, 5)), lambda: unfold(torch.ones(4, 5)), lambda: F.unfold(x, 7)):
    try:
        bad()
    except Exception as e:
        print(type(e).__name__, str(e).splitlines()[0])
