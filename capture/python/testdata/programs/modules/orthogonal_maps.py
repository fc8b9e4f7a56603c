import torch
from torch import nn
from torch.nn.utils import parametrizations

torch.manual_seed(0)
for size in ((3, 3), (4, 2), (2, 4)):
    for kind in ("matrix_exp", "cayley", "householder"):
        m = parametrizations.orthogonal(nn.Linear(*size, bias=False), orthogonal_map=kind)
        w = m.weight
        k = min(w.shape)
        gram = w @ w.T if w.shape[0] == k else w.T @ w
        print(kind, tuple(w.shape), torch.allclose(gram, torch.eye(k), atol=1e-5))
        del gram, w
        m(torch.ones(1, size[0])).sum().backward()
        print(m.parametrizations.weight.original.grad.shape)
m = parametrizations.orthogonal(nn.Linear(2, 2, bias=False))
print(m)
m.weight = torch.tensor([[0.0, 1.0], [-1.0, 0.0]])
print(m.weight)


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


attempt(lambda: setattr(m, "weight", torch.ones(3, 3)))
attempt(lambda: parametrizations.orthogonal(nn.Linear(2, 2), "bias"))
attempt(lambda: parametrizations.orthogonal(nn.Linear(2, 2), "none"))
attempt(lambda: parametrizations.orthogonal(nn.Linear(2, 2), orthogonal_map="qr"))
free = parametrizations.orthogonal(nn.Linear(2, 2), orthogonal_map="cayley", use_trivialization=False)
attempt(lambda: setattr(free, "weight", torch.eye(2)))
