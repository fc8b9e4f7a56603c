import copy

import torch
from torch import nn

t = torch.tensor([1.0, 2.0])
p = nn.Parameter(t)
print(p, type(p), p.is_leaf, p.requires_grad, p.grad)
print(isinstance(p, torch.Tensor), isinstance(t, nn.Parameter), p.data_ptr() == t.data_ptr())
print(repr(p), str(p), f"{p}")
t[0] = 9
print(p)
print(type(p + 1).__name__, type(p.data).__name__, type(p.detach()).__name__, type(p.clone()).__name__, type(p[0]).__name__)
print(nn.Parameter(t, requires_grad=False), nn.Parameter(torch.arange(3), False), nn.Parameter())
with torch.no_grad():
    q = nn.Parameter(torch.ones(2))
print(q.requires_grad, nn.Parameter(q) is q, nn.Parameter(p * 2).is_leaf)
c = copy.deepcopy(p)
print(type(c).__name__, c is p, c.data_ptr() == p.data_ptr(), torch.equal(c, p))
p.tag = "x"
(p * p).sum().backward()
c = copy.deepcopy(p)
print(p.grad, c.grad, hasattr(c, "tag"), p.tag)


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


attempt(lambda: nn.Parameter(torch.arange(3)))
attempt(lambda: nn.Parameter([1.0]))
attempt(lambda: nn.Parameter(1.0))
attempt(lambda: nn.Parameter(t, True, 3))
b = nn.Buffer(torch.ones(2), persistent=False)
print(b, type(b), isinstance(b, nn.Buffer), isinstance(t, nn.Buffer), b.persistent)
m = nn.Module()
m.b = b
m.c = nn.Buffer(torch.zeros(1))
print(list(m._buffers), list(m.state_dict()), list(m.parameters()))
p += 1
