import torch

s = torch.tensor([1.0, 3.0, 5.0, 7.0])
v = torch.tensor([0.0, 3.0, 6.0, 9.0])
print(torch.searchsorted(s, v), torch.searchsorted(s, v, right=True), torch.bucketize(v, s), torch.searchsorted(s, 4), torch.isin(v, s), torch.bucketize(v, s, right=True, out_int32=True))
x = torch.tensor([3, 1, 2, 3, 1])
print(torch.unique(x), torch.unique(x, return_counts=True), torch.unique(x, return_inverse=True), torch.unique_consecutive(torch.tensor([1, 1, 2, 1]), return_counts=True), torch.unique(torch.tensor([[1, 2], [1, 2], [0, 1]]), dim=0), x.bincount(), torch.bincount(x, weights=torch.ones(5)), torch.histc(x.float(), 3))
print(x.argsort(), x.argsort(descending=True, stable=True), x.sort(stable=True), x.topk(2), torch.kthvalue(x, 2), x.argmax(), x.argmin(), x.float().median(), x.mode(), torch.count_nonzero(x), x.msort(), x.eq(3).nonzero().flatten())
for bad in (lambda: torch.searchsorted(s, v.long()), lambda: x.topk(9), lambda: torch.kthvalue(x, 0), lambda: torch.bincount(torch.tensor([-1])), lambda: torch.ones(0).argmax(), lambda: torch.ones(0).max(), lambda: torch.unique(x, dim=3), lambda: x.sort(5), lambda: torch.histc(x)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
