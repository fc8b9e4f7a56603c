import torch
import torch.nn.functional as F

x = torch.tensor([[2.0, 0.5, -1.0], [0.1, 0.2, 0.3], [-2.0, 1.0, 0.0]], requires_grad=True)
y = torch.tensor([0, 2, 1])
p = torch.tensor([[0.7, 0.2, 0.1], [0.0, 0.5, 0.5], [1.0, 0.0, 0.0]])
w = torch.tensor([1.0, 2.0, 0.5])
m = torch.tensor([[1.0, 0, 1], [0, 0, 1], [1, 1, 0]])
for reduction in ("mean", "sum", "none"):
    losses = {
        "ce": F.cross_entropy(x, y, reduction=reduction),
        "weighted": F.cross_entropy(x, y, weight=w, reduction=reduction),
        "ignored": F.cross_entropy(x, y, ignore_index=2, reduction=reduction),
        "smooth": F.cross_entropy(x, y, label_smoothing=0.1, reduction=reduction),
        "probabilities": F.cross_entropy(x, p, weight=w, reduction=reduction),
        "nll": F.nll_loss(F.log_softmax(x, 1), y, reduction=reduction),
        "nllw": F.nll_loss(F.log_softmax(x, 1), y, w, ignore_index=1, reduction=reduction),
        "bce": F.binary_cross_entropy(torch.sigmoid(x), m, reduction=reduction),
        "bcew": F.binary_cross_entropy(torch.sigmoid(x), m, weight=w, reduction=reduction),
        "logits": F.binary_cross_entropy_with_logits(x, m, reduction=reduction),
        "logitsw": F.binary_cross_entropy_with_logits(x, m, weight=w, pos_weight=torch.tensor(2.0), reduction=reduction),
        "multi_margin": F.multi_margin_loss(x, y, reduction=reduction),
        "multi_margin2": F.multi_margin_loss(x, y, p=2, margin=0.5, weight=w, reduction=reduction),
        "multilabel_margin": F.multilabel_margin_loss(x, torch.tensor([[0, 2, -1], [1, -1, 0], [2, 1, 0]]), reduction=reduction),
        "multilabel_soft": F.multilabel_soft_margin_loss(x, m, reduction=reduction),
        "multilabel_softw": F.multilabel_soft_margin_loss(x, m, weight=w, reduction=reduction),
    }
    for name, value in losses.items():
        (g,) = torch.autograd.grad(value.sum(), x)
        print(reduction, name, value, value.grad_fn.name(), g)
image = torch.randn(1, 3, 2, 2, generator=torch.Generator().manual_seed(0), requires_grad=True)
target = torch.tensor([[[0, 1], [2, 0]]])
loss = F.cross_entropy(image, target)
loss.backward()
print(loss, image.grad, F.nll_loss(image, target, reduction="none"), F.nll_loss(image, target, w))
print(F.cross_entropy(x[0], y[0]), F.nll_loss(x[0], y[0]), torch.binary_cross_entropy_with_logits(x, m), torch.nn.functional.cross_entropy(x, torch.tensor([-100, -100, -100])))
for bad in (lambda: F.cross_entropy(x, torch.tensor([0, 3, 1])), lambda: F.cross_entropy(x, y[:2]), lambda: F.cross_entropy(x, y.float()), lambda: F.cross_entropy(x, y, reduction="none!"), lambda: F.cross_entropy(x, y, weight=torch.ones(2)), lambda: F.nll_loss(x, torch.tensor([[0], [1], [2]])), lambda: F.binary_cross_entropy(x, m), lambda: F.binary_cross_entropy(torch.sigmoid(x), m[:2]), lambda: F.binary_cross_entropy_with_logits(x, m[:, :2]), lambda: F.multi_margin_loss(x, torch.tensor([0, 1])), lambda: F.multi_margin_loss(x, y, p=3), lambda: F.multilabel_margin_loss(x, y), lambda: F.cross_entropy(x, p.long()), lambda: F.nll_loss(x, y.int()), lambda: F.cross_entropy(x, y, label_smoothing=2.0)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
