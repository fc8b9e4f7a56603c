import torch

x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 0.5, -1.0]], requires_grad=True)
print(x.sum(), torch.sum(x, 0), x.sum(dim=1, keepdim=True), x.sum((0, 1)), x.sum(axis=0), x.sum(dtype=torch.float64), torch.sum(x, dim=[0]), x.sum(-1))
print(x.mean(), torch.mean(x, 0), x.mean(dim=(0, 1), keepdim=True), x.mean(1, dtype=torch.float64), x.prod(), torch.prod(x, 1), x.prod(0, keepdim=True), x.nansum(), torch.nanmean(x, 1), x.nanmean(), torch.nansum(x, 0))
print(x.cumsum(0), torch.cumsum(x, dim=1), x.cumprod(1), torch.cumprod(x, 0), x.logcumsumexp(1), torch.logcumsumexp(x, 0), x.detach().clone().cumsum_(0), x.detach().clone().cumprod_(1))
print(x.logsumexp(0), torch.logsumexp(x, (0, 1)), x.logsumexp(1, keepdim=True), x.softmax(1), torch.softmax(x, 0), x.log_softmax(-1), torch.log_softmax(x, 1, dtype=torch.float64))
(x.sum(0).prod() + x.mean(1).sum() + x.prod(1).sum() + x.prod() + x.cumsum(1).sum() + x.cumprod(0).sum() + x.logsumexp(1).sum() + x.logcumsumexp(0).sum() + x.softmax(1)[0, 0]).backward()
print(x.grad)
i = torch.tensor([[1, 2], [3, 4]])
b = torch.tensor([True, False, True])
print(i.sum(), i.sum().dtype, b.sum(), i.prod(), b.prod(), i.cumsum(0), i.float().mean(), i.sum(dtype=torch.int32), torch.ones(0).sum(), torch.ones(0).prod(), torch.ones(0).mean(), torch.ones(2, 0).sum(1))
n = torch.tensor([1.0, float("nan"), 3.0])
print(n.sum(), n.nansum(), n.nanmean(), n.mean())
out = torch.empty(3)
torch.sum(x.detach(), 0, out=out)
print(out, torch.trapezoid(x), torch.trapezoid(x, dx=0.5, dim=0), torch.trapezoid(x, torch.tensor([0.0, 1.0, 3.0])), torch.trapz(x), torch.cumulative_trapezoid(x), torch.cumulative_trapezoid(x, torch.tensor([0.0, 1.0, 3.0])), torch.cumulative_trapezoid(x, dx=2, dim=0), torch.diff(x), x.diff(n=2), torch.diff(x, dim=0, prepend=torch.zeros(1, 3)), torch.diff(x, append=torch.ones(2, 1)))
for bad in (lambda: i.mean(), lambda: x.sum(2), lambda: x.sum((0, 0)), lambda: x.sum("a"), lambda: x.prod((0, 1)), lambda: x.cumsum(), lambda: x.cumsum(3), lambda: x.softmax(), lambda: x.softmax(4), lambda: i.softmax(0), lambda: x.logsumexp(), lambda: torch.sum(), lambda: torch.sum(x, 0, out=torch.empty(3, dtype=torch.int64)), lambda: torch.diff(torch.tensor(1)), lambda: x.diff(n=-1)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
