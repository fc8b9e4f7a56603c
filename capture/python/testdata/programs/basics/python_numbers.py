import math
import operator

import torch

t = torch.tensor(3.7)
print(float(t), int(t), bool(t), complex(t), round(t.item(), 1))
i = torch.tensor([[5]])
print(int(i), float(i), operator.index(i), list(range(10))[i], "abc" * torch.tensor(2))
print(math.sqrt(torch.tensor(16.0)), math.floor(torch.tensor(2.5)), math.ceil(2.5))
print(f"{t} {t:.2f} {t.item():6.3f} {i}", "%.1f" % t, "%d" % t, "{:>8.2f}|".format(t))
for attempt in (lambda: float(torch.ones(2)), lambda: int(torch.ones(0)), lambda: torch.ones(2).item(), lambda: f"{torch.ones(2):.2f}"):
    try:
        print(attempt())
    except Exception as e:
        print(type(e).__name__, e)
for attempt in (lambda: [1, 2, 3][torch.tensor(1.0)], lambda: [1, 2, 3][torch.tensor([1, 2])], lambda: hash(t) == hash(t)):
    try:
        print(attempt())
    except Exception as e:
        print(type(e).__name__, e)
print(len(torch.ones(3, 2)), sum(torch.arange(4)), max(torch.tensor([1, 5, 2])), min(torch.tensor([3.0, 1.0])))
try:
    len(t)
except TypeError as e:
    print(e)
print(round(torch.tensor(2.567), 2) if hasattr(torch.Tensor, "__round__") else "no round")
print(sorted([torch.tensor(3), torch.tensor(1), torch.tensor(2)]))
print(torch.tensor(2) + 1.5, 1.5 + torch.tensor(2), torch.tensor(2.0, dtype=torch.float64) + torch.ones(1))
