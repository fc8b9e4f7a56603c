import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)
a, b = torch.randn(4), torch.randn(4)
sign = torch.tensor([1.0, -1.0, 1.0, -1.0])
for loss in (nn.MarginRankingLoss(), nn.MarginRankingLoss(0.5, reduction="sum"), nn.MarginRankingLoss(margin=0.2, reduction="none")):
    x, z = a.clone().requires_grad_(), b.clone().requires_grad_()
    y = loss(x, z, sign)
    y.sum().backward()
    print(loss, y, y.grad_fn.name(), x.grad, z.grad)
for loss in (nn.HingeEmbeddingLoss(), nn.HingeEmbeddingLoss(margin=0.5, reduction="none"), nn.HingeEmbeddingLoss(reduction="sum"), nn.SoftMarginLoss(), nn.SoftMarginLoss(reduction="none")):
    x = a.clone().requires_grad_()
    y = loss(x, sign)
    y.sum().backward()
    print(loss, y, y.grad_fn.name(), x.grad)
m, n = torch.randn(3, 4), torch.randn(3, 4)
pair = torch.tensor([1.0, -1.0, 1.0])
for loss in (nn.CosineEmbeddingLoss(), nn.CosineEmbeddingLoss(margin=0.3, reduction="none"), nn.CosineEmbeddingLoss(-0.5, reduction="sum")):
    x, z = m.clone().requires_grad_(), n.clone().requires_grad_()
    y = loss(x, z, pair)
    y.sum().backward()
    print(loss, y)
    print(x.grad, z.grad)
print(F.cosine_embedding_loss(m[0], n[0], torch.tensor(1)))
for bad in (lambda: nn.MarginRankingLoss()(a, b, torch.ones(2, 4)), lambda: nn.CosineEmbeddingLoss()(m, n, torch.ones(3, 1)), lambda: nn.CosineEmbeddingLoss()(m, n[:, :2], pair), lambda: nn.CosineEmbeddingLoss()(torch.ones(2, 2, 2), torch.ones(2, 2, 2), pair), lambda: nn.HingeEmbeddingLoss()(a, torch.ones(3)), lambda: nn.SoftMarginLoss()(a, torch.ones(3)), lambda: F.margin_ranking_loss(a, b, sign, reduction="x")):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
