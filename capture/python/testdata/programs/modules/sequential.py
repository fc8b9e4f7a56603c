from collections import OrderedDict

import torch
from torch import nn

torch.manual_seed(0)
a, b, c, d = nn.Linear(1, 2), nn.ReLU(), nn.Linear(2, 1), nn.Tanh()
s = nn.Sequential(a, b, c)
print(len(s), s[0] is a, s[-1] is c, s[1:], list(s) == [a, b, c])
s.append(d).insert(0, nn.Identity())
print(s)
s[1] = nn.Linear(1, 2, bias=False)
del s[0]
print([n for n, _ in s.named_children()], s.pop(-1))
s.extend([nn.Sigmoid(), d])
del s[1:3]
print(s)
named = nn.Sequential(OrderedDict([("in", a), ("act", b), ("out", c)]))
print(named, named[1:], named.act, getattr(named, "in") is a)
added = nn.Sequential(a) + nn.Sequential(b, c)
added += nn.Sequential(d)
print(len(added), added[0] is a, [n for n, _ in added.named_modules()])
double = nn.Sequential(b, d) * 2
print(len(double), len(2 * double), double)
double *= 3
print(len(double))
print(added(torch.ones(2, 1)))


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


attempt(lambda: s[9])
attempt(lambda: s["x"])
attempt(lambda: s[1.0])
attempt(lambda: s + [a])
attempt(lambda: s * 1.5)
attempt(lambda: s * 0)
attempt(lambda: -1 * s)
attempt(lambda: s.insert(9, a))
attempt(lambda: s.insert(0, "a"))
attempt(lambda: s.append("a"))
attempt(lambda: nn.Sequential(a, nn.functional.relu))
attempt(lambda: nn.Sequential([a, b]))
attempt(lambda: s(1, 2))
attempt(lambda: nn.Sequential()(3))
attempt(lambda: s.__setitem__(0, 5))
