import torch

x = torch.arange(6.0).reshape(2, 3).requires_grad_()
i = torch.tensor([[0, 2], [1, 1]])
y = torch.gather(x, 1, i)
print(y, y.grad_fn.name())
y.sum().backward()
print(x.grad)
z = torch.zeros(2, 3)
print(z.scatter(1, i, 5.0), z.scatter(1, i, x.detach()), z.scatter_add(1, i, torch.ones(2, 2)), z.scatter(1, i, 2.0, reduce="add"), z.scatter_reduce(1, i, torch.tensor([[1.0, 2.0], [3.0, 4.0]]), "amax"), z.scatter_reduce(1, i, torch.tensor([[1.0, 2.0], [3.0, 4.0]]), "mean", include_self=False))
print(x.take(torch.tensor([0, 5])), torch.take_along_dim(x, i, 1), x.detach().put(torch.tensor([0, 5]), torch.tensor([10.0, 20.0])), z.scatter_(0, torch.tensor([[1, 0, 1]]), 7))
for bad in (lambda: torch.gather(x, 1, i.float()), lambda: torch.gather(x, 2, i), lambda: torch.gather(x, 1, torch.tensor([[3]])), lambda: torch.gather(x, 1, torch.tensor([0])), lambda: z.scatter(1, i, torch.ones(1, 1)), lambda: z.scatter_add(1, torch.tensor([[5]]), torch.ones(1, 1)), lambda: z.scatter(1, i, 1.0, reduce="no"), lambda: z.scatter_reduce(1, i, z, "no"), lambda: x.take(torch.tensor([9])), lambda: torch.gather(x, 1, torch.zeros(3, 1, dtype=torch.long))):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
