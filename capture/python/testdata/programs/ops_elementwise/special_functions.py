import torch

x = torch.tensor([0.3, 0.7, 1.6], dtype=torch.float64, requires_grad=True)
for name in ("lgamma", "digamma", "erfinv", "i0"):
    y = getattr(torch, name)(x / 2)
    (g,) = torch.autograd.grad(y.sum(), x)
    print(name, y, g, getattr(x.detach() / 2, name + "_")())
for name in ("entr", "erfcx", "i0", "i0e", "i1", "i1e", "log_ndtr", "ndtr", "ndtri", "gammaln", "psi", "digamma", "erfinv", "sinc"):
    y = getattr(torch.special, name)(x / 2)
    (g,) = torch.autograd.grad(y.sum(), x)
    print(name, y, g)
print(torch.polygamma(1, x), x.polygamma(2), torch.special.polygamma(0, x), x.detach().clone().polygamma_(1))
print(torch.mvlgamma(x + 1, 2), (x + 1).mvlgamma(p=2), torch.special.multigammaln(x + 1, 2), (x.detach() + 1).mvlgamma_(2))
torch.polygamma(1, x).sum().backward()
print(x.grad)
print(torch.lgamma(torch.tensor([0.0, -1.0, 5.0])), torch.digamma(torch.tensor([0.0, 1.0])), torch.erfinv(torch.tensor([1.0, -1.0, 2.0])), torch.special.ndtri(torch.tensor([0.0, 0.5, 1.0])))
print(torch.special.entr(torch.tensor([-1.0, 0.0, 0.5])), torch.special.xlogy(torch.zeros(1), torch.zeros(1)), torch.special.log_softmax(x, 0), torch.special.softmax(x, 0), torch.special.logsumexp(x, 0))
for bad in (lambda: torch.polygamma(-1, x), lambda: torch.mvlgamma(x, 3), lambda: torch.special.nothing(x)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
