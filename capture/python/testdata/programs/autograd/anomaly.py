import torch
from torch.autograd import Function, detect_anomaly, set_detect_anomaly


class Fails(Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        raise RuntimeError("failed on purpose")


x = torch.tensor([0.0, 1.0], requires_grad=True)
with detect_anomaly():
    y = (x * 0).sqrt() * 0
    try:
        y.sum().backward()
    except RuntimeError as e:
        print(e)
    z = Fails.apply(x)
    try:
        z.sum().backward()
    except RuntimeError as e:
        print(e)
print(torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled())
with set_detect_anomaly(True, check_nan=False):
    ((x * 0).sqrt() * 0).sum().backward()
    print(x.grad, torch.is_anomaly_check_nan_enabled())
set_detect_anomaly(True)
print(torch.is_anomaly_enabled())
(x * x).sum().backward()
set_detect_anomaly(False)
y = x * 1
w = y * y
y.add_(1)
with set_detect_anomaly(True):
    try:
        w.sum().backward()
    except RuntimeError as e:
        print(e)
