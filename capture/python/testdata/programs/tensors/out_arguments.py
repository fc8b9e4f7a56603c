import torch

x, y = torch.tensor([3.0, 1.0, 2.0]), torch.tensor([1.0, 1.0, 1.0])
out = torch.empty(3)
print(torch.add(x, y, out=out) is out, out, torch.mul(x, 2, out=out), out._version)
values, where = torch.empty(0), torch.empty(0, dtype=torch.int64)
print(torch.sort(x, out=(values, where)), values, where, torch.max(x.view(1, 3), 1, out=(torch.empty(1), torch.empty(1, dtype=torch.int64))))
print(torch.arange(3, out=torch.empty(0, dtype=torch.int64)), torch.zeros(2, out=torch.empty(2)), torch.cat([x, y], out=torch.empty(6)), torch.matmul(x, y, out=torch.empty(())), torch.sum(x, 0, out=torch.empty(())))
for bad in (lambda: torch.add(x, y, out=torch.empty(3, dtype=torch.int64)), lambda: torch.add(x.requires_grad_(), y, out=out)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
