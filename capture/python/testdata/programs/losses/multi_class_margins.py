import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)
scores = torch.randn(3, 4)
target = torch.tensor([0, 3, 2])
for loss in (nn.MultiMarginLoss(), nn.MultiMarginLoss(p=2, margin=0.5), nn.MultiMarginLoss(weight=torch.tensor([1.0, 2.0, 0.5, 1.5]), reduction="none"), nn.MultiMarginLoss(reduction="sum")):
    x = scores.clone().requires_grad_()
    y = loss(x, target)
    y.sum().backward()
    print(loss, y, y.grad_fn.name())
    print(x.grad)
labels = torch.tensor([[3, 0, -1, 1], [1, -1, -1, -1], [0, 1, 2, 3]])
for reduction in ("mean", "sum", "none"):
    x = scores.clone().requires_grad_()
    y = nn.MultiLabelMarginLoss(reduction=reduction)(x, labels)
    y.sum().backward()
    print(y, y.grad_fn.name())
    print(x.grad)
marks = (torch.rand(3, 4) > 0.5).float()
for loss in (nn.MultiLabelSoftMarginLoss(), nn.MultiLabelSoftMarginLoss(torch.arange(4.0), reduction="none"), nn.MultiLabelSoftMarginLoss(reduction="sum")):
    x = scores.clone().requires_grad_()
    y = loss(x, marks)
    y.sum().backward()
    print(loss, y, y.grad_fn.name())
    print(x.grad)
print(F.multi_margin_loss(scores[0], target[0]), F.multilabel_margin_loss(scores[0], labels[0]))
for bad in (
    lambda: nn.MultiMarginLoss(p=3), lambda: nn.MultiMarginLoss(weight=torch.ones(2, 2)), lambda: F.multi_margin_loss(scores, target, p=3), lambda: F.multi_margin_loss(scores, target + 2), lambda: F.multi_margin_loss(scores, target[:2]),
    lambda: F.multilabel_margin_loss(scores, labels[:2]), lambda: F.multilabel_margin_loss(scores, labels + 9), lambda: F.multilabel_margin_loss(scores, labels.float()), lambda: F.multilabel_soft_margin_loss(scores, marks[:2]), lambda: F.multi_margin_loss(scores, target, weight=torch.ones(3)),
):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
