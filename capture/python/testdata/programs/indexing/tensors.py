import torch

x = torch.arange(24.0).reshape(2, 3, 4).requires_grad_()
i, j = torch.tensor([0, 1, 1]), torch.tensor([2, 0, 1])
print(x[i].shape, x[i, j].shape, x[:, j].shape, x[i, :, j].shape, x[..., j].shape, x[i[:, None], j].shape, x[i, j, i], x[torch.tensor(1), j].shape, x[torch.tensor([[0, 1], [1, 0]])].shape)
y = x[i, :, j]
y.sum().backward()
print(y.grad_fn.name(), x.grad)
print(x[torch.tensor([-1])].shape, x[i.int()].shape, x[i.to(torch.uint8)].shape, x[torch.tensor([], dtype=torch.long)].shape)
for bad in (lambda: x[torch.tensor([2])], lambda: x[i, torch.tensor([0, 1])], lambda: x[torch.tensor([1.0])], lambda: x[i, j, i, j], lambda: x[torch.tensor([-4])]):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
