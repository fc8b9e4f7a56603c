from collections import OrderedDict, namedtuple

import torch
from torch.utils.data import default_collate, default_convert

Point = namedtuple("Point", ["x", "y"])
print(default_collate([0, 1, 2]), default_collate([0.5, 1.5]), default_collate(["a", "b"]))
print(default_collate([True, False]))
print(default_collate([{"A": 0, "B": 1.5}, {"A": 100, "B": 2.5}]))
print(default_collate([Point(0, 1), Point(2, 3)]))
print(default_collate([(0, "x"), (2, "y")]), default_collate([[0, 1], [2, 3]]))
print(default_collate([torch.zeros(2), torch.ones(2)]))
batch = default_collate([OrderedDict(a=1, b=[1, 2]), OrderedDict(a=3, b=[4, 5])])
print(type(batch).__name__, dict(batch))
print(default_collate([b"a", b"b"]))
for bad in ([[1, 2], [3]], [torch.zeros(2), torch.zeros(3)], [object(), 1], [None, None], [{"a": 1}, {"b": 2}]):
    try:
        default_collate(bad)
    except (RuntimeError, TypeError, KeyError) as e:
        print(type(e).__name__, str(e)[:100])
print(default_convert([1, (2, 3)]), default_convert({"a": (1,)}), default_convert(Point(1, 2)), default_convert("s"))
