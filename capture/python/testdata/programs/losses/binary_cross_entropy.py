import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)
target = torch.tensor([[1.0, 0.0, 0.5], [0.0, 1.0, 1.0]])
weight = torch.tensor([[1.0, 2.0, 3.0]])
for loss in (nn.BCELoss(), nn.BCELoss(weight, reduction="none"), nn.BCELoss(reduction="sum")):
    p = torch.tensor([[0.9, 0.2, 0.4], [0.0, 1.0, 0.5]], requires_grad=True)
    y = loss(p, target)
    y.sum().backward()
    print(loss, list(loss.state_dict()), y, y.grad_fn.name())
    print(p.grad)
for loss in (nn.BCEWithLogitsLoss(), nn.BCEWithLogitsLoss(weight=weight, reduction="none"), nn.BCEWithLogitsLoss(pos_weight=torch.tensor([1.0, 2.0, 0.5])), nn.BCEWithLogitsLoss(weight, reduction="sum", pos_weight=torch.tensor(3.0))):
    x = torch.tensor([[2.0, -1.0, 0.0], [40.0, -40.0, 0.3]], requires_grad=True)
    y = loss(x, target)
    y.sum().backward()
    print(loss, list(loss.state_dict()), y, y.grad_fn.name())
    print(x.grad)
p = torch.tensor([0.5, 1.5], requires_grad=True)
for bad in (lambda: F.binary_cross_entropy(p, torch.zeros(2)), lambda: F.binary_cross_entropy(p, torch.zeros(3)), lambda: F.binary_cross_entropy_with_logits(p, torch.zeros(3)), lambda: F.binary_cross_entropy(p, torch.tensor([0, 1])), lambda: F.binary_cross_entropy_with_logits(p, torch.zeros(2), reduction="all"), lambda: F.binary_cross_entropy(torch.tensor([0.5, 0.5]), torch.tensor([2.0, 0.0]))):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
