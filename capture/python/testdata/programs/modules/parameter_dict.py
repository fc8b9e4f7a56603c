from collections import OrderedDict

import torch
from torch import nn

d = nn.ParameterDict({"b": torch.ones(2), "a": nn.Parameter(torch.zeros(1, 2)), "n": 3})
print(d, len(d), list(d))
d["w"] = torch.tensor(1.0)
d.update(OrderedDict([("z", torch.ones(1)), ("y", torch.ones(1))]))
d.update([("q", torch.ones(1))])
print(list(d.keys()), list(reversed(d)), "q" in d)
print(d.get("none"), d.get("none", 4), d.setdefault("s", torch.ones(1)), d.setdefault("s", 3) is d["s"])
print(d.pop("q"), d.popitem(), len(d))
del d["z"]
print([(k, type(v).__name__) for k, v in d.items()], len(list(d.values())))
other = nn.ParameterDict({"k": torch.zeros(1)})
print(list((d | other)), list(other | d))
other |= {"m": torch.zeros(1)}
print(other, list(other.copy()), list(d.fromkeys(["u", "v"], torch.ones(1))))
print([n for n, _ in d.named_parameters()], d.a is d["a"])


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


attempt(lambda: d[1])
attempt(lambda: d["none"])
attempt(lambda: d.update(3))
attempt(lambda: d.update([5]))
attempt(lambda: d.update([(1, 2, 3)]))
attempt(lambda: nn.ParameterDict({2: torch.ones(1)}))
attempt(lambda: d(1))
attempt(lambda: nn.ParameterDict().popitem())
d.clear()
print(d, len(d))
