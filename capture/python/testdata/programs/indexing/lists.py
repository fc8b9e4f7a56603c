import torch

x = torch.arange(12).reshape(3, 4)
print(x[[0, 2]], x[[0, 2], [1, 3]], x[:, [3, 0]], x[[[0, 1], [1, 2]]], x[[0]], x[[-1, 0]], x[(0, 1)], x[[True, False, True]], x[:, [True, False, False, True]], x[range(2)], x[[]].shape, x[0, [1, 1, 1]])
print(x[[0, 1], ..., [0, 1]], x[[0, 1], None].shape, x[None, [0, 1]].shape, x[[0, 1], 1:3], x[[torch.tensor(0), torch.tensor(2)]])
for bad in (lambda: x[[0, 3]], lambda: x[[0, 1], [0, 1, 2]], lambda: x[[True, False]], lambda: x[["a"]], lambda: x[[0.5]], lambda: x[[0, 1], [0, 1], [0, 1]], lambda: x[[0, None]]):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
