import torch
from torch import nn
import torch.nn.functional as F

target = torch.tensor([0.0, 0.0, 0.0, 0.0, 1.0])
for loss in (nn.SmoothL1Loss(), nn.SmoothL1Loss(beta=0.5), nn.SmoothL1Loss(beta=0.0), nn.SmoothL1Loss(reduction="none", beta=2.0), nn.HuberLoss(), nn.HuberLoss(delta=0.3), nn.HuberLoss("sum", 2.0), nn.HuberLoss(reduction="none")):
    x = torch.tensor([-3.0, -0.4, 0.2, 0.75, 1.0], requires_grad=True)
    y = loss(x, target)
    y.sum().backward()
    print(loss, y, y.grad_fn.name(), x.grad)
w = torch.arange(5.0)
print(F.huber_loss(x, target, weight=w), F.huber_loss(x, target, reduction="sum", delta=0.5, weight=w), F.huber_loss(x, target, "none", weight=w))
for bad in (lambda: nn.SmoothL1Loss(beta=-1.0)(x, target), lambda: nn.HuberLoss(delta=0.0)(x, target), lambda: nn.HuberLoss(delta=-1)(x, target), lambda: F.huber_loss(x, target, weight=w[:2]), lambda: F.smooth_l1_loss(x, target, reduction="x"), lambda: F.huber_loss(x, target[:2])):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
print(F.smooth_l1_loss(x, target[:1]))
