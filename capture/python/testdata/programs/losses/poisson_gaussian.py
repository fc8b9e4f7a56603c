import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)
target = torch.tensor([0.0, 1.0, 3.0, 7.0])
for loss in (nn.PoissonNLLLoss(), nn.PoissonNLLLoss(log_input=False), nn.PoissonNLLLoss(full=True), nn.PoissonNLLLoss(reduction="none"), nn.PoissonNLLLoss(False, True, eps=1e-3, reduction="sum")):
    x = torch.tensor([0.1, 0.5, 1.0, 2.0], requires_grad=True)
    y = loss(x, target)
    y.sum().backward()
    print(loss, y, x.grad)
var = torch.tensor([0.5, 1.0, 1e-9, 2.0])
for loss in (nn.GaussianNLLLoss(), nn.GaussianNLLLoss(full=True), nn.GaussianNLLLoss(eps=0.1, reduction="none"), nn.GaussianNLLLoss(reduction="sum")):
    x = torch.tensor([0.1, 0.5, 3.0, 2.0], requires_grad=True)
    v = var.clone().requires_grad_()
    y = loss(x, target, v)
    y.sum().backward()
    print(loss, y, y.grad_fn.name())
    print(x.grad, v.grad)
batch = torch.randn(2, 3)
print(F.gaussian_nll_loss(batch, batch * 2, torch.ones(2, 1)), F.gaussian_nll_loss(batch, batch * 2, torch.ones(2)), F.gaussian_nll_loss(batch, batch, 2.0), nn.GaussianNLLLoss()(batch, batch, 0.5))
for bad in (
    lambda: F.gaussian_nll_loss(batch, batch, torch.ones(3, 3)), lambda: F.gaussian_nll_loss(batch, batch, -torch.ones(2, 3)), lambda: F.gaussian_nll_loss(batch, batch, -1.0), lambda: F.gaussian_nll_loss(batch, batch, torch.ones(2, 3), reduction="avg"),
    lambda: nn.GaussianNLLLoss(True), lambda: F.poisson_nll_loss(batch, batch, reduction="avg"), lambda: F.poisson_nll_loss(batch, torch.ones(4)),
):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
