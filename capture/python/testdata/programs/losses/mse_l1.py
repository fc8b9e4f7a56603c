import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)
target = torch.randn(3, 4)
for loss in (nn.MSELoss(), nn.MSELoss(reduction="sum"), nn.MSELoss(reduction="none"), nn.L1Loss(), nn.L1Loss(reduction="sum"), nn.L1Loss(reduction="none")):
    x = torch.linspace(-1, 1, 12).view(3, 4).requires_grad_()
    y = loss(x, target)
    print(loss, loss.reduction)
    print(y, y.grad_fn)
    y.sum().backward()
    print(x.grad)
t = target.clone().requires_grad_()
nn.MSELoss()(torch.zeros(3, 4), t).backward()
print(t.grad)
weight = torch.arange(12.0).view(3, 4)
print(F.mse_loss(x, target, weight=weight), F.l1_loss(x, target, weight=weight, reduction="sum"))
print(F.mse_loss(x, target[:1]))
print(nn.MSELoss()(x, target[:, :1]))
print(nn.MSELoss()(torch.tensor([1.0, 2.0]), torch.tensor([1, 3])))
for bad in (lambda: nn.MSELoss()(x, torch.ones(5)), lambda: nn.MSELoss(reduction="avg")(x, target), lambda: F.mse_loss(x), lambda: F.l1_loss(x, target, weight=torch.ones(2)), lambda: nn.L1Loss()(x, torch.ones(2, 4))):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
