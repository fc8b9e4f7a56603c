import torch
import torch.nn.functional as F

x = torch.tensor([[0.5, -1.0, 3.0], [2.0, 0.1, -0.4]], requires_grad=True)
t = torch.tensor([[1.0, 1.0, 1.0], [0.0, -1.0, 0.5]], requires_grad=True)
for reduction in ("mean", "sum", "none"):
    losses = {
        "mse": F.mse_loss(x, t, reduction=reduction),
        "l1": F.l1_loss(x, t, reduction=reduction),
        "smooth": F.smooth_l1_loss(x, t, reduction=reduction, beta=0.7),
        "smooth0": F.smooth_l1_loss(x, t, reduction=reduction, beta=0.0),
        "huber": F.huber_loss(x, t, reduction=reduction, delta=0.6),
        "soft": F.soft_margin_loss(x, t.detach(), reduction=reduction),
        "poisson": F.poisson_nll_loss(x, t.detach() + 2, reduction=reduction),
        "full": F.poisson_nll_loss(x, t.detach() + 2, full=True, log_input=False, reduction=reduction) if reduction != "sum" else x.sum(),
        "gauss": F.gaussian_nll_loss(x, t, torch.full((2, 3), 0.5), reduction=reduction),
        "gauss1": F.gaussian_nll_loss(x, t, torch.tensor([0.5, 2.0]), full=True, reduction=reduction),
        "gaussnumber": F.gaussian_nll_loss(x, t, 2.0, reduction=reduction),
        "kl": F.kl_div(x, t.exp(), reduction=reduction),
        "kllog": F.kl_div(x, t, log_target=True, reduction=reduction),
    }
    for name, value in losses.items():
        grads = torch.autograd.grad(value.sum(), [x, t], allow_unused=True)
        print(reduction, name, value, value.grad_fn.name(), grads)
print(F.kl_div(x, t.exp(), reduction="batchmean"), F.mse_loss(x, t, weight=torch.tensor([1.0, 2.0, 3.0])) if False else "", torch.poisson_nll_loss(x, t.detach().abs(), True, False, 1e-8, 1), torch.kl_div(x, t.exp()))
for bad in (lambda: F.mse_loss(x, torch.ones(3, 4)), lambda: F.mse_loss(x, t, reduction="max"), lambda: F.huber_loss(x, t, delta=-1), lambda: F.smooth_l1_loss(x, t, beta=-1), lambda: F.gaussian_nll_loss(x, t, -torch.ones(2, 3)), lambda: F.gaussian_nll_loss(x, t, torch.ones(5)), lambda: F.mse_loss(x, t, 1, 2, 3, 4, 5)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
print(F.mse_loss(x, torch.ones(2, 1)), F.mse_loss(x, t, size_average=False), F.l1_loss(x, t, reduce=False))
F.mse_loss(torch.tensor([1, 2]), torch.tensor([1, 1])).backward()
