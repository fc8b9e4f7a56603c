import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)
log_probs = torch.log_softmax(torch.randn(4, 3), 1)
target = torch.tensor([1, 0, 2, 1])
for loss in (nn.NLLLoss(), nn.NLLLoss(torch.tensor([1.0, 2.0, 3.0])), nn.NLLLoss(reduction="sum", ignore_index=1), nn.NLLLoss(reduction="none")):
    x = log_probs.clone().requires_grad_()
    y = loss(x, target)
    y.sum().backward()
    print(loss, y, y.grad_fn.name())
    print(x.grad)
image = torch.log_softmax(torch.randn(1, 3, 2, 2), 1).requires_grad_()
t = torch.tensor([[[0, 1], [2, 0]]])
y = F.nll_loss(image, t)
y.backward()
print(y, y.grad_fn.name(), image.grad)
print(F.nll_loss(log_probs[0], target[0]), F.nll_loss(torch.randn(1, 2, 2, 2, 2).log_softmax(1), torch.zeros(1, 2, 2, 2, dtype=torch.long)).dim())
print(nn.NLLLoss2d())
for bad in (lambda: F.nll_loss(log_probs, target + 2), lambda: F.nll_loss(log_probs, target[:2]), lambda: F.nll_loss(log_probs, target.float()), lambda: F.nll_loss(log_probs, t), lambda: F.nll_loss(log_probs, target, torch.ones(4)), lambda: F.nll_loss(torch.tensor(0.0), torch.tensor(0))):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
