import torch

x = torch.arange(12.0).reshape(3, 4)
i = torch.tensor([2, 0])
print(x.index_select(0, i), torch.index_select(x, 1, i), x.index_add(0, i, torch.ones(2, 4)), x.index_add(1, i, torch.ones(3, 2), alpha=10), x.index_copy(0, i, torch.zeros(2, 4)), x.index_fill(1, i, -1), x.index_put((i,), torch.tensor(5.0)), x.index_put((i, i), torch.tensor([1.0, 1.0]), accumulate=True), x.index_reduce(0, i, torch.full((2, 4), 2.0), "prod"))
print(x.narrow(1, 1, 2), x.select(0, 1), x.diagonal(), x.take(torch.tensor([1, 11])), x.masked_scatter(x > 8, torch.tensor([-1.0, -2.0, -3.0])), x.select_scatter(torch.zeros(4), 0, 1), x.slice_scatter(torch.zeros(3, 2), 1, 0, 2, 1), x.movedim(0, 1).shape, x.unfold(1, 2, 2).shape)
y = x.clone().requires_grad_()
y.index_select(0, torch.tensor([0, 0])).sum().backward()
print(y.grad, x.index_add_(0, i, torch.ones(2, 4))._version)
for bad in (lambda: x.index_select(0, torch.tensor([3])), lambda: x.index_select(0, torch.tensor([0.5])), lambda: x.index_select(2, i), lambda: x.index_add(0, i, torch.ones(3, 4)), lambda: x.index_copy(0, i, torch.zeros(1, 4)), lambda: x.narrow(0, 2, 2), lambda: x.select(0, 5), lambda: x.index_fill(0, torch.tensor([9]), 0), lambda: x.masked_scatter(x > 8, torch.ones(1)), lambda: x.index_select(0, torch.tensor([[0]])), lambda: x.narrow(0, 0, -1)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
