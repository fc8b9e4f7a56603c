import torch

x = torch.tensor([[1.0, 2.0, 4.0], [0.0, -1.0, 3.0]], requires_grad=True)
print(x.std(), x.var(), torch.std(x, 1), torch.var(x, 0, keepdim=True), x.std(unbiased=False), x.var(dim=1, unbiased=False), torch.std(x, dim=1, correction=0), x.var(correction=2), torch.std(x, dim=(0, 1)), x.std(0, False), x.var(dim=0, correction=1, keepdim=True))
print(torch.std_mean(x), torch.var_mean(x, 1), torch.std_mean(x, dim=0, correction=0), torch.var_mean(x, 0, False), torch.var_mean(x, unbiased=False), torch.std_mean(x, 1, True, keepdim=True), torch.std_mean(x, False), torch.var_mean(x, dim=(0, 1), correction=1))
print(torch.quantile(x, 0.5), x.quantile(torch.tensor([0.25, 0.75]), dim=1), torch.nanquantile(x, 0.3), x.nanquantile(torch.tensor([0.5]), 0, keepdim=True), x.quantile(0.4, interpolation="nearest"), x.quantile(0.4, dim=1, interpolation="lower"))
print(torch.cov(x), x.corrcoef(), torch.corrcoef(x), x.cov(correction=0), torch.cov(x, fweights=torch.tensor([1, 2, 1]), aweights=torch.tensor([0.5, 1.0, 1.0])))
print(x.norm(), torch.norm(x, p=1), x.norm(2, 1), x.norm(p=float("inf"), dim=0, keepdim=True), torch.norm(x, "fro"), torch.norm(x, p="nuc"), x.norm(3, dtype=torch.float64), torch.norm(x, dim=1), x.renorm(2, 0, 1.0), torch.renorm(x, 1, 1, 2.0), x.detach().clone().renorm_(2, 0, 0.5))
(x.std() + x.var(1).sum() + torch.var_mean(x)[0] + x.quantile(0.3) + x.norm() + x.norm(1, 0).sum() + torch.cov(x).sum() + torch.corrcoef(x)[0, 1]).backward()
print(x.grad)
i = torch.tensor([1, 1, 3, 0])
print(torch.bincount(i), i.bincount(minlength=6), torch.bincount(i, weights=torch.tensor([0.5, 1.0, 2.0, 1.0])), torch.histc(x, 4), x.histc(bins=3, min=0, max=3), torch.histogram(x.detach(), 3), torch.histogram(x.detach(), torch.tensor([0.0, 1.0, 5.0])), torch.histogram(x.detach(), 2, range=(0.0, 4.0), density=True), x.detach().histogram(2))
print(torch.bucketize(torch.tensor([0.5, 2.0]), torch.tensor([0.0, 1.0, 2.0])), torch.bucketize(1.0, torch.tensor([0.0, 1.0]), right=True), torch.searchsorted(torch.tensor([1, 3, 5]), torch.tensor([3, 6])), torch.searchsorted(torch.tensor([1, 3]), 2), torch.searchsorted(torch.tensor([1, 3]), torch.tensor([3]), right=True), torch.searchsorted(torch.tensor([1.0, 3.0]), torch.tensor([2.0]), side="right"))
m = x > 0
print(m.all(), m.any(), torch.all(m, 1), m.any(0, keepdim=True), torch.all(m, dim=(0, 1)), m.any(dim=(0, 1)), x.all(), torch.any(x, 1), m.count_nonzero(), torch.count_nonzero(x, dim=0), x.count_nonzero(dim=(0, 1)), torch.ones(0).all(), torch.ones(0).any())
print(torch.ones(1).var(), torch.ones(2).std(correction=2), torch.ones(0).std())
for bad in (lambda: i.std(), lambda: x.quantile(2.0), lambda: x.quantile(i), lambda: x.std(3), lambda: torch.bincount(torch.tensor([-1])), lambda: torch.bincount(x), lambda: torch.histc(x, 0), lambda: torch.histc(x, min=3, max=1), lambda: x.norm("abc"), lambda: torch.searchsorted(torch.tensor([1, 3]), torch.tensor([1.0]), right=True, side="left"), lambda: x.quantile(0.5, interpolation="no"), lambda: torch.cov(torch.ones(2, 2, 2))):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
