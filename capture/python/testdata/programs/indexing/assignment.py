import torch

x = torch.zeros(3, 4)
x[0] = 1
x[1, 2] = 5.5
x[:, 0] = torch.tensor([7.0, 8.0, 9.0])
x[2, 1:3] = torch.tensor(4)
x[..., 3] = -1
print(x, x._version)
x[[0, 2], [1, 1]] = torch.tensor([10.0, 20.0])
x[torch.tensor([1]), 1:] = 0.5
x[x == 0.5] = 3
x[:] = x * 2
x[0, :] += 100
x[None, 0, 0] = 6
x[1] = x[2]
x[:, 1:2] = torch.tensor([[1.0], [2.0], [3.0]])
x[()] = x + 1
print(x, x._version)
i = torch.zeros(2, dtype=torch.int64)
i[0] = 2.7
i[1] = True
print(i)
for bad in (lambda: x.__setitem__(5, 1), lambda: x.__setitem__(0, torch.ones(3)), lambda: x.__setitem__((0, 0), torch.ones(2)), lambda: x.__setitem__(0, "a"), lambda: x.__setitem__([0, 7], 1), lambda: x.__setitem__(slice(None, None, -1), 1), lambda: x.__setitem__(0, [1, 2]), lambda: x.__delitem__(0)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
w = torch.ones(2, requires_grad=True)
w[0] = 2
