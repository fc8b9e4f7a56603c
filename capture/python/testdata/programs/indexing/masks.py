import torch

x = torch.arange(6.0).reshape(2, 3).requires_grad_()
m = x > 2
print(x[m], x[x > 100].shape, x[torch.tensor([True, False])], x[:, torch.tensor([True, False, True])], x[m].grad_fn.name(), x[~m], x[m & (x < 5)])
x[m].sum().backward()
print(x.grad, x[torch.tensor(True)].shape, x[torch.tensor(False)].shape, torch.masked_select(x, m), x.detach().masked_fill(m, -1), torch.where(m, x, 0), m.nonzero(), m.nonzero(as_tuple=True), torch.where(m))
y = x.detach().clone()
y[y > 3] = 0
y[m] += 10
y[~m] = torch.tensor([7.0, 8.0, 9.0])
print(y, y[torch.tensor([[True, False, True], [False, False, True]])])
for bad in (lambda: x[torch.tensor([True])], lambda: x[torch.tensor([[True, False]])], lambda: y.__setitem__(m, torch.ones(2)), lambda: x[:, torch.tensor([True, False])], lambda: torch.masked_select(x, x), lambda: x[m, 0]):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
