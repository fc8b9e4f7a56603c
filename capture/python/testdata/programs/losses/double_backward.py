import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)
t = torch.rand(3, 4)
cases = {
    "mse": lambda x: F.mse_loss(x, t), "l1": lambda x: F.l1_loss(x, t), "smooth": lambda x: F.smooth_l1_loss(x, t), "huber": lambda x: F.huber_loss(x, t, delta=0.5), "bce": lambda x: F.binary_cross_entropy(x.sigmoid(), t),
    "logits": lambda x: F.binary_cross_entropy_with_logits(x, t), "kl": lambda x: F.kl_div(x.log_softmax(1), t, reduction="sum"), "ce": lambda x: F.cross_entropy(x, torch.tensor([0, 1, 2])), "soft": lambda x: F.soft_margin_loss(x, t.sign()),
    "poisson": lambda x: F.poisson_nll_loss(x, t), "gaussian": lambda x: F.gaussian_nll_loss(x, t, x.exp()), "cosine": lambda x: F.cosine_embedding_loss(x, t, torch.ones(3)), "triplet": lambda x: F.triplet_margin_loss(x, t, -t),
    "soft margin": lambda x: F.multilabel_soft_margin_loss(x, t.round()),
}
for name, loss in cases.items():
    x = torch.linspace(-1, 1, 12).view(3, 4).requires_grad_()
    (g,) = torch.autograd.grad(loss(x), x, create_graph=True)
    (gg,) = torch.autograd.grad(g.pow(2).sum(), x, allow_unused=True) if g.requires_grad else (None,)
    print(name, g.detach()[0], None if gg is None else gg[0])
