import torch

x = torch.tensor([[3.0, 1.0, 2.0], [0.5, 4.0, 4.0]], requires_grad=True)
y = torch.tensor([[2.0, 2.0, 2.0], [1.0, 4.0, 5.0]], requires_grad=True)
print(x.max(), x.min(), torch.max(x, 1), x.min(0, keepdim=True), torch.max(x, y), x.min(y), x.max(dim=-1).indices, torch.min(x, dim=1).values, x.amax(), torch.amax(x, 1), x.amin((0, 1)), torch.amin(x, 0, keepdim=True), torch.aminmax(x), x.aminmax(dim=0))
print(x.argmax(), torch.argmax(x, 1), x.argmin(dim=0, keepdim=True), torch.argmin(x), x.median(), torch.median(x, 0), x.nanmedian(), torch.nanmedian(x, dim=1), x.mode(), torch.mode(x, 0), x.kthvalue(2), torch.kthvalue(x, 1, dim=0, keepdim=True))
print(x.sort(), torch.sort(x, descending=True), x.sort(dim=0, stable=True), torch.sort(x, stable=True, dim=1), x.argsort(), torch.argsort(x, 0, True), x.argsort(stable=True, dim=1), torch.msort(x), x.msort(), x.topk(2), torch.topk(x, 1, largest=False), x.topk(2, dim=0, sorted=True), x.cummax(1), torch.cummin(x, 0))
values, indices = x.topk(2)
print(values.grad_fn.name(), indices.requires_grad, x.max(0))
(x.max() + x.amax(1).sum() + x.max(0).values.sum() + torch.max(x, y).sum() + x.sort()[0][0, 0] + x.topk(2)[0].sum() + x.median() + x.kthvalue(2).values.sum() + x.cummax(1)[0].sum() + x.mode()[0].sum() + x.min()).backward()
print(x.grad, y.grad)
n = torch.tensor([1.0, float("nan"), 0.0])
print(n.max(), n.min(), n.median(), n.nanmedian(), n.argmax(), n.sort(), n.amax(), n.topk(1))
i = torch.tensor([3, 1, 2, 3])
print(i.max(), i.mode(), i.sort(), i.unique(), torch.unique(i, return_inverse=True), torch.unique(i, return_counts=True), i.unique_consecutive(), torch.unique_consecutive(torch.tensor([1, 1, 2, 1]), return_inverse=True, return_counts=True), torch.unique(torch.tensor([[1, 2], [1, 2]]), dim=0), torch.unique(i, sorted=True), torch.unique_consecutive(torch.tensor([[1, 2], [1, 2], [0, 1]]), dim=0))
values = torch.empty(2)
where = torch.empty(2, dtype=torch.long)
torch.max(x.detach(), 1, out=(values, where))
print(values, where)
for bad in (lambda: torch.tensor([]).max(), lambda: torch.ones(0, 2).max(0), lambda: x.max(2), lambda: torch.ones(0).argmax(), lambda: x.topk(4), lambda: x.kthvalue(4), lambda: x.sort(2), lambda: x.max((0, 1)), lambda: x.median((0,)), lambda: torch.max(x, 1, 2, 3), lambda: x.argmax("a"), lambda: x.amax(5), lambda: torch.ones(0).median()):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
