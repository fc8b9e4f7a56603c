import torch
import torch.nn.functional as F

predicted = torch.tensor([[0.25, -1.5], [2.0, 0.75]], requires_grad=True)
counts = torch.tensor([[1, 0], [2, 1]])

for dtype in (torch.int64, torch.uint8, torch.bool, torch.float64, torch.float16):
    for reduction in ("mean", "sum", "none"):
        predicted.grad = None
        loss = F.smooth_l1_loss(predicted, counts.to(dtype), reduction=reduction, beta=0.5)
        loss.sum().backward()
        print(dtype, reduction, loss, predicted.grad)

left, right = torch.ones(2, 3), torch.ones(3)
for a, b, target in (
    (left, right, torch.ones(2)),
    (right, left, torch.ones(2)),
    (left, right, torch.tensor(1.0)),
    (torch.empty(0, 0), torch.empty(0), torch.empty(0)),
    (left, left, torch.ones(2, 1)),
    (left, torch.ones(2, 4), torch.ones(2)),
):
    try:
        print(F.cosine_embedding_loss(a, b, target))
    except RuntimeError as e:
        print(e)
print(F.cosine_embedding_loss(left, -left, torch.tensor([1.0, -1.0]), reduction="none"))
