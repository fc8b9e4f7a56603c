from collections import OrderedDict

import torch
from torch import nn

torch.manual_seed(0)
d = nn.ModuleDict({"conv": nn.Conv1d(1, 1, 1), "pool": nn.MaxPool1d(2)})
print(d, len(d), list(d), "conv" in d, "x" in d)
d["act"] = nn.ReLU()
d.update({"b": nn.Tanh(), "a": nn.Sigmoid()})
d.update([["z", nn.Identity()], ("y", nn.Identity())])
d.update(OrderedDict([("q", nn.ReLU())]))
d.update(nn.ModuleDict({"r": nn.ReLU()}))
print(list(d.keys()), type(d.keys()).__name__)
print(d.pop("q"), len(d))
del d["r"], d["z"]
for k, v in d.items():
    print(k, v)
print([type(v).__name__ for v in d.values()])
print(d["act"](torch.tensor([-1.0, 1.0])), d.act is d["act"])
print([n for n, _ in d.named_parameters()])


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


attempt(lambda: d["none"])
attempt(lambda: d.pop("none"))
attempt(lambda: d.update(3))
attempt(lambda: d.update([3]))
attempt(lambda: d.update([(1, 2, 3)]))
attempt(lambda: d.update(["ab"]))
attempt(lambda: d.__setitem__(1, nn.ReLU()))
attempt(lambda: d.__setitem__("a.b", nn.ReLU()))
attempt(lambda: d.__setitem__("keys", nn.ReLU()))
attempt(lambda: d.__setitem__("type", nn.ReLU()))
attempt(lambda: d.__setitem__("act", 3))
attempt(lambda: d(1))
d.clear()
print(d, len(d))
