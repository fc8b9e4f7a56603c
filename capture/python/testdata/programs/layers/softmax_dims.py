import torch
from torch import nn
import torch.nn.functional as F

x = torch.tensor([[1.0, 2.0, 3.0], [0.0, 0.0, 1.0]], requires_grad=True)
print(nn.Softmax(dim=0)(x), nn.Softmax(dim=-1)(x))
print(nn.Softmax(), nn.Softmax(dim=1), nn.Softmin(dim=0), nn.LogSoftmax(dim=-1), nn.Softmax2d())
print(F.softmax(x))
print(F.log_softmax(x))
print(F.softmin(x))
print(nn.Softmax()(x[0]))
print(nn.LogSoftmax()(x.unsqueeze(0)).shape)
print(F.softmax(x, dim=1, dtype=torch.float64))
print(F.log_softmax(torch.tensor([1, 2]), 0, dtype=torch.float32))
image = torch.arange(8.0).view(1, 2, 2, 2) / 4
print(nn.Softmax2d()(image), nn.Softmax2d()(image[0]).sum(0))
F.softmax(x, 1)[0, 2].backward()
print(x.grad)
for bad in (lambda: nn.Softmax2d()(x), lambda: F.softmax(x, 2), lambda: F.softmax(torch.tensor([1, 2]), 0), lambda: F.log_softmax(x, -3), lambda: F.softmax([1.0], 0)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
