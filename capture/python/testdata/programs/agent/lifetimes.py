import gc
import sys
import weakref

import torch


class Payload:
    pass


def compute():
    payload = Payload()
    x = torch.ones(2)
    y = x * 2
    return weakref.ref(payload), weakref.ref(x), weakref.ref(y)


print([r() is None for r in compute()])
x = torch.ones(3)
r = weakref.ref(x, lambda _: print("gone"))
y = x + 1
print(sys.getrefcount(x) == sys.getrefcount(y))
del x
print(r() is None)


def fails():
    payload = Payload()
    fails.ref = weakref.ref(payload)
    torch.ones(2).view(3)


try:
    fails()
except RuntimeError:
    print(fails.ref() is not None)
print(fails.ref() is None)

cycle = [torch.ones(1)]
cycle.append(cycle)
r = weakref.ref(cycle[0])
del cycle
gc.collect()
print(r() is None)
