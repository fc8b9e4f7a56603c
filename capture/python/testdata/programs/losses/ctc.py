import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)
logits = torch.randn(6, 2, 4)
targets = torch.tensor([[1, 2, 2], [3, 1, 0]])
for loss in (nn.CTCLoss(), nn.CTCLoss(reduction="none"), nn.CTCLoss(reduction="sum", zero_infinity=True), nn.CTCLoss(blank=3, reduction="none")):
    x = logits.clone().requires_grad_()
    t = targets if loss.blank == 0 else torch.tensor([[1, 2, 2], [0, 1, 0]])
    y = loss(x.log_softmax(2), t, torch.tensor([6, 5]), torch.tensor([3, 2]))
    y.sum().backward()
    print(loss, y, y.grad_fn.name())
    print(x.grad[:, 0])
flat = F.ctc_loss(logits.log_softmax(2), torch.tensor([1, 2, 2, 3, 1]), (6, 5), (3, 2))
print(flat, F.ctc_loss(logits[:, 0].log_softmax(1), targets[0], torch.tensor(6), torch.tensor(3)))
short = logits.clone().requires_grad_()
y = F.ctc_loss(short.log_softmax(2), targets, [2, 6], [3, 1], reduction="none")
print(y)
for bad in (
    lambda: F.ctc_loss(logits.log_softmax(2), targets, [7, 6], [3, 1]), lambda: F.ctc_loss(logits.log_softmax(2), targets, [6], [3, 1]), lambda: F.ctc_loss(logits.log_softmax(2), targets, [6, 6], [4, 1]),
    lambda: F.ctc_loss(logits.log_softmax(2), targets, [6, 6], [3, 1], blank=4), lambda: F.ctc_loss(logits.log_softmax(2), targets.float(), [6, 6], [3, 1]), lambda: F.ctc_loss(logits.log_softmax(2), targets, [6, 6], [3, 1], reduction="all"),
):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
