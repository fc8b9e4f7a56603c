import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)
logits = torch.randn(4, 3)
target = torch.tensor([0, 2, 1, 2])
weight = torch.tensor([0.2, 0.5, 1.0])
soft = torch.softmax(torch.randn(4, 3), 1)
cases = [
    (nn.CrossEntropyLoss(), target), (nn.CrossEntropyLoss(reduction="sum"), target), (nn.CrossEntropyLoss(reduction="none"), target), (nn.CrossEntropyLoss(weight=weight), target),
    (nn.CrossEntropyLoss(ignore_index=2), target), (nn.CrossEntropyLoss(label_smoothing=0.1), target), (nn.CrossEntropyLoss(weight, label_smoothing=0.3, ignore_index=0), target),
    (nn.CrossEntropyLoss(), soft), (nn.CrossEntropyLoss(weight=weight, reduction="none"), soft), (nn.CrossEntropyLoss(label_smoothing=0.2), soft),
]
for loss, t in cases:
    x = logits.clone().requires_grad_()
    y = loss(x, t)
    y.sum().backward()
    print(loss, list(loss.state_dict()), y, y.grad_fn.name())
    print(x.grad)
images = torch.randn(2, 3, 2, 2, requires_grad=True)
labels = torch.tensor([[[0, 1], [2, -100]], [[1, 1], [0, 2]]])
print(F.cross_entropy(images, labels), F.cross_entropy(images, labels, reduction="none"))
print(F.cross_entropy(logits[0], target[0]), F.cross_entropy(logits, torch.full((4,), -100)))
for bad in (
    lambda: F.cross_entropy(logits, torch.tensor([0, 3, 0, 0])), lambda: F.cross_entropy(logits, target[:3]), lambda: F.cross_entropy(logits, target.int()), lambda: F.cross_entropy(logits, target.float()),
    lambda: F.cross_entropy(logits, target, weight=torch.ones(2)), lambda: F.cross_entropy(logits, target, label_smoothing=2.0), lambda: F.cross_entropy(logits, target, reduction="avg"), lambda: F.cross_entropy(logits, soft, ignore_index=1),
    lambda: F.cross_entropy(torch.tensor(1.0), torch.tensor(0)), lambda: F.cross_entropy(images, target), lambda: F.cross_entropy(logits.long(), target),
):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
