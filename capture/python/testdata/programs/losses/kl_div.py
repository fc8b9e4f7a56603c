import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)
log_q = torch.log_softmax(torch.randn(2, 3), 1)
p = torch.softmax(torch.randn(2, 3), 1)
for reduction in ("mean", "sum", "batchmean", "none"):
    for log_target in (False, True):
        x = log_q.clone().requires_grad_()
        t = (p.log() if log_target else p).clone().requires_grad_()
        loss = nn.KLDivLoss(reduction=reduction, log_target=log_target)
        y = loss(x, t)
        y.sum().backward()
        print(loss, reduction, log_target, y, y.grad_fn.name())
        print(x.grad, t.grad)
print(F.kl_div(log_q, torch.tensor([[0.0, 0.0, 1.0]]), reduction="sum"))
try:
    nn.KLDivLoss(reduction="avg")(log_q, p)
except ValueError as e:
    print(e)
F.kl_div(log_q, torch.ones(4))
