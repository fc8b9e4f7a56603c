import torch

a, b = torch.tensor([[1.0, 2.0]]), torch.tensor([[3.0, 4.0]])
print(torch.cat([a, b]), torch.cat((a, b), dim=1), torch.stack([a, b]).shape, torch.stack([a, b], -1), torch.hstack([a, b]), torch.vstack([a, b]), torch.dstack([a, b]), torch.column_stack([a.flatten(), b.flatten()]), torch.concat([a, torch.zeros(0)]), torch.cat([a, b.long()]).dtype)
x = torch.arange(10)
print(x.split(3), x.split([2, 8]), x.chunk(3), x.tensor_split(4), torch.tensor_split(x, (2, 5)), x.reshape(2, 5).unbind(), x.reshape(2, 5).unbind(1)[0], torch.hsplit(x, 2), torch.unflatten(x, 0, (2, -1)).shape)
for bad in (lambda: torch.cat([a, torch.ones(3, 3)]), lambda: torch.stack([a, b.T]), lambda: torch.cat([]), lambda: torch.stack([]), lambda: x.split([3, 3]), lambda: x.split(-1), lambda: x.chunk(0), lambda: torch.cat([a, b], 3), lambda: torch.cat([a, torch.tensor(1.0)]), lambda: torch.unflatten(x, 0, (3, 3)), lambda: torch.hsplit(x, 3)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
