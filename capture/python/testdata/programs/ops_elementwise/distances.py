import torch
import torch.nn.functional as F

a = torch.tensor([[0.0, 0.0], [3.0, 4.0], [1.0, 1.0]], requires_grad=True)
b = torch.tensor([[1.0, 0.0], [0.0, 2.0]])
for p in (0.0, 1.0, 1.5, 2.0, 3.0, float("inf")):
    print(p, torch.cdist(a, b, p), torch.pdist(a, p), F.pdist(a, p))
(g,) = torch.autograd.grad(torch.cdist(a, b).sum() + torch.cdist(a, b, 1.0).sum(), a)
print(g)
print(torch.autograd.grad(torch.pdist(a).sum(), a)[0], torch.autograd.grad(torch.pdist(a, 3.0).sum(), a)[0])
print(torch.cdist(a, b, compute_mode="use_mm_for_euclid_dist"), torch.cdist(torch.ones(30, 2), torch.zeros(26, 2))[0, 0])
print(torch.dist(a[0], a[1]), torch.dist(a, a + 1, 1), a.dist(a.detach(), p=float("inf")))
print(torch.pairwise_distance(a[:2], b), F.pairwise_distance(a[:2], b, p=1, keepdim=True), F.pairwise_distance(a, b[0]))
print(torch.cosine_similarity(a[1:], b, dim=1), F.cosine_similarity(a[1:], b), F.cosine_similarity(a[0], b[0], dim=0), F.cosine_similarity(a.unsqueeze(1), b.unsqueeze(0), dim=2))
F.cosine_similarity(a[1:], b).sum().backward()
print(a.grad)
print(F.normalize(a), F.normalize(a, p=1, dim=0), F.normalize(a, dim=1, eps=10.0))
for bad in (lambda: torch.cdist(a, torch.ones(2, 3)), lambda: torch.cdist(a, b, -1.0), lambda: torch.pdist(torch.ones(2)), lambda: torch.cdist(a, b, compute_mode="no"), lambda: F.cosine_similarity(a, b), lambda: torch.cdist(a, b.long())):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
