import torch
from torch.utils.data import Subset, random_split

g = torch.Generator().manual_seed(0)
a, b = random_split(range(10), [3, 7], generator=g)
print(len(a), len(b), a.indices, b.indices)
print(a[0], [a[i] for i in range(3)], isinstance(a, Subset))
torch.manual_seed(3)
parts = random_split(list("abcdefghij"), [0.5, 0.3, 0.2])
print([[p[i] for i in range(len(p))] for p in parts])
parts = random_split(range(7), [1 / 3, 1 / 3, 1 / 3])
print([len(p) for p in parts])
for lengths in ([3, 3], [0.5, 0.6], [1.5, -0.5]):
    try:
        random_split(range(10), lengths)
    except ValueError as e:
        print(e)
import warnings

with warnings.catch_warnings(record=True) as w:
    warnings.simplefilter("always")
    print([len(p) for p in random_split(range(2), [0.3, 0.3, 0.4])])
    print([str(x.message) for x in w])
