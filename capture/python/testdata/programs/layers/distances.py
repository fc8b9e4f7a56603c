import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)
a, b = torch.randn(4, 3, requires_grad=True), torch.randn(4, 3)
for layer in (nn.PairwiseDistance(), nn.PairwiseDistance(p=1, keepdim=True), nn.PairwiseDistance(p=3.0, eps=0.1), nn.CosineSimilarity(), nn.CosineSimilarity(dim=0, eps=1e-3)):
    a.grad = None
    y = layer(a, b)
    print(layer, y)
    y.sum().backward()
    print(a.grad)
print(F.pairwise_distance(a[0], b[0]), F.cosine_similarity(a, b[:1]), F.pdist(b), F.normalize(a, dim=0), F.normalize(a, p=1))
print(F.cosine_similarity(torch.zeros(1, 2), torch.ones(1, 2)), vars(nn.PairwiseDistance(2))["norm"])
for bad in (lambda: nn.CosineSimilarity(dim=2)(a, b), lambda: nn.PairwiseDistance()(a, torch.ones(5, 2)), lambda: F.cosine_similarity(a, b.long(), dim=5), lambda: F.pdist(a[0])):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
