import math
import operator

import torch

x, i, b = torch.tensor(2.5), torch.tensor(3), torch.tensor(True)
print(float(x), int(x), bool(x), complex(x), round(float(x)), x.item(), i.item(), b.item(), int(b), float(i))
print([10, 20, 30, 40][i], range(5)[torch.tensor(1)], operator.index(i), math.sqrt(torch.tensor(16.0)), math.floor(x), "ab" * i, list(range(i)))
print(f"{x:.3f} {i:04d} {x} {torch.ones(2)} {x!r}", "%.1f %d" % (x, i), format(i, "x"), str(b))
print(x.tolist(), torch.ones(2, 2).tolist(), torch.tensor([[1], [2]]).tolist(), torch.tensor([]).tolist(), torch.tensor([True]).tolist())
for bad in (lambda: float(torch.ones(2)), lambda: bool(torch.ones(2)), lambda: bool(torch.ones(0)), lambda: torch.ones(2).item(), lambda: operator.index(x), lambda: [1, 2][x], lambda: f"{torch.ones(2):.2f}", lambda: len(x), lambda: list(x), lambda: range(x), lambda: int(torch.tensor(float("nan"))), lambda: int(torch.ones(0))):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, str(e).split("\n")[0])
