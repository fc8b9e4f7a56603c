import torch
import torch.nn.functional as F

a = torch.tensor([[1.0, 2.0], [0.5, -1.0], [0.0, 1.0]], requires_grad=True)
b = torch.tensor([[0.0, 1.0], [2.0, 1.0], [1.0, 1.0]], requires_grad=True)
c = torch.tensor([[1.0, 1.0], [0.0, 0.0], [3.0, -1.0]], requires_grad=True)
y = torch.tensor([1.0, -1.0, 1.0])
for reduction in ("mean", "sum", "none"):
    losses = {
        "cosine": F.cosine_embedding_loss(a, b, y, margin=0.2, reduction=reduction),
        "hinge": F.hinge_embedding_loss(a[:, 0], y, reduction=reduction),
        "hinge2": F.hinge_embedding_loss(a[:, 0], y, margin=0.5, reduction=reduction),
        "ranking": F.margin_ranking_loss(a[:, 0], b[:, 0], y, margin=0.3, reduction=reduction),
        "triplet": F.triplet_margin_loss(a, b, c, reduction=reduction),
        "triplet2": F.triplet_margin_loss(a, b, c, margin=0.5, p=1, swap=True, reduction=reduction),
        "distance": F.triplet_margin_with_distance_loss(a, b, c, distance_function=lambda u, v: (u - v).abs().sum(-1), reduction=reduction),
    }
    for name, value in losses.items():
        grads = torch.autograd.grad(value.sum(), [a, b, c], allow_unused=True)
        print(reduction, name, value, value.grad_fn.name(), grads)
torch.manual_seed(0)
logits = torch.randn(6, 2, 4, requires_grad=True)
log_probs = logits.log_softmax(2)
targets = torch.tensor([[1, 2, 3], [2, 2, 1]])
for reduction in ("mean", "sum", "none"):
    loss = F.ctc_loss(log_probs, targets, torch.tensor([6, 5]), torch.tensor([3, 2]), reduction=reduction)
    print(loss, loss.grad_fn.name(), torch.autograd.grad(loss.sum(), logits, retain_graph=True)[0].abs().sum())
print(F.ctc_loss(log_probs, torch.tensor([1, 2, 3, 2, 2]), (6, 5), (3, 2)), F.ctc_loss(log_probs, targets, (2, 2), (3, 3)), F.ctc_loss(log_probs, targets, (2, 2), (3, 3), zero_infinity=True))
F.ctc_loss(log_probs, targets, (6, 5), (3, 2), blank=0).backward()
print(logits.grad[0])
print(torch.cosine_embedding_loss(a, b, y), torch.hinge_embedding_loss(a[:, 0], y), torch.margin_ranking_loss(a[:, 0], b[:, 0], y), torch.triplet_margin_loss(a, b, c), torch.ctc_loss(log_probs, targets, (6, 5), (3, 2)))
for bad in (lambda: F.cosine_embedding_loss(a, b, y[:2]), lambda: F.margin_ranking_loss(a, b[0, 0], y), lambda: F.triplet_margin_loss(a, b, c[0]), lambda: F.ctc_loss(log_probs, targets, (7, 5), (3, 2)), lambda: F.ctc_loss(log_probs, targets, (6,), (3, 2)), lambda: F.ctc_loss(log_probs, targets, (6, 5), (3, 2), blank=9), lambda: F.triplet_margin_loss(a, b, c, margin=-1), lambda: F.cosine_embedding_loss(a, b, y, reduction="x")):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
