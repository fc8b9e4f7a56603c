import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)
anchor, positive, negative = torch.randn(3, 4), torch.randn(3, 4), torch.randn(3, 4)
for loss in (nn.TripletMarginLoss(), nn.TripletMarginLoss(margin=0.5, p=1), nn.TripletMarginLoss(swap=True, reduction="none"), nn.TripletMarginLoss(2.0, reduction="sum", eps=1e-3)):
    inputs = [t.clone().requires_grad_() for t in (anchor, positive, negative)]
    y = loss(*inputs)
    y.sum().backward()
    print(loss, y, y.grad_fn.name())
    print([t.grad[0] for t in inputs])
def cosine(x, y):
    return 1 - F.cosine_similarity(x, y)


for loss in (nn.TripletMarginWithDistanceLoss(), nn.TripletMarginWithDistanceLoss(distance_function=cosine, margin=0.3), nn.TripletMarginWithDistanceLoss(distance_function=nn.PairwiseDistance(p=1), swap=True, reduction="none"), nn.TripletMarginWithDistanceLoss(distance_function=lambda x, y: (x - y).abs().max(1)[0], reduction="sum")):
    inputs = [t.clone().requires_grad_() for t in (anchor, positive, negative)]
    y = loss(*inputs)
    y.sum().backward()
    print(loss, y, y.grad_fn.name())
    print([t.grad[0] for t in inputs])
print(F.triplet_margin_with_distance_loss(anchor, positive, negative, margin=0.1))
for bad in (
    lambda: nn.TripletMarginLoss(margin=0), lambda: nn.TripletMarginWithDistanceLoss(margin=-1), lambda: F.triplet_margin_loss(anchor, positive, negative, margin=-1.0), lambda: F.triplet_margin_loss(anchor, positive[0], negative),
    lambda: F.triplet_margin_with_distance_loss(anchor, positive[0], negative), lambda: F.triplet_margin_with_distance_loss(anchor, positive, negative, reduction="avg"), lambda: F.triplet_margin_with_distance_loss(anchor, positive, negative, margin=0), lambda: nn.TripletMarginWithDistanceLoss(cosine), lambda: F.triplet_margin_loss(anchor, positive, negative[:2]),
):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
