import torch

x = torch.arange(12.0).reshape(3, 4).requires_grad_()
i = torch.tensor([[0, 1], [2, 0], [3, 3]])
print(torch.gather(x, 1, i), x.gather(0, torch.tensor([[2, 1, 0, 0]])), x.take(torch.tensor([0, 5, -1])), torch.take(x, torch.tensor([[1], [2]])), torch.take_along_dim(x, i, 1), x.take_along_dim(torch.tensor([3, 0])), x.index_select(0, torch.tensor([2, 0])), torch.index_select(x, 1, torch.tensor([1])))
src = torch.ones(3, 2, requires_grad=True)
z = torch.zeros(3, 4)
print(z.scatter(1, i, src), torch.scatter(z, 1, i, 5.0), z.scatter(1, i, src, reduce="add"), z.scatter(1, i, 3.0, reduce="add"), torch.ones(3, 4).scatter(1, i, 3.0, reduce="multiply"), z.scatter_add(1, i, src), torch.scatter_add(z, 0, torch.tensor([[0, 1, 2, 0]]), torch.ones(1, 4)))
for reduce in ("sum", "prod", "mean", "amax", "amin"):
    print(reduce, torch.scatter_reduce(x, 1, i, src * 2, reduce), x.scatter_reduce(1, i, src * 3, reduce=reduce, include_self=False))
(x.gather(1, i).sum() + x.scatter(1, i, src).sum() + z.scatter_add(1, i, src * 2).sum() + x.scatter_reduce(1, i, src, "mean").sum() + x.scatter_reduce(1, i, src, "prod").sum() + x.take(torch.tensor([0, 0])).sum() + x.index_select(0, torch.tensor([1, 1])).sum()).backward()
print(x.grad, src.grad)
w = torch.zeros(2, 3)
print(w.scatter_(0, torch.tensor([[1, 0, 1]]), torch.ones(1, 3)), w.scatter_(1, torch.tensor([[2]]), 9), w.scatter_add_(1, torch.tensor([[0, 0]]), torch.ones(1, 2)), w.scatter_reduce_(1, torch.tensor([[0]]), torch.tensor([[7.0]]), "amax"), w.scatter_(1, torch.tensor([[1]]), 2, reduce="multiply"), w.scatter_(1, torch.tensor([[1]]), torch.tensor([[2.0]]), reduce="add"))
for bad in (lambda: x.gather(1, torch.tensor([[4]])), lambda: x.gather(2, i), lambda: x.gather(1, i.float()), lambda: x.gather(1, torch.tensor([0])), lambda: z.scatter(1, i, torch.ones(3, 1)), lambda: z.scatter(1, torch.tensor([[9]]), 1.0), lambda: z.scatter(1, i, src.long()), lambda: z.scatter(1, i, src, reduce="max"), lambda: x.scatter_reduce(1, i, src, "no"), lambda: x.take(torch.tensor([12])), lambda: x.index_select(0, torch.tensor([[0]])), lambda: x.index_select(0, torch.tensor([3])), lambda: x.index_select(0, torch.tensor([0.0]))):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
