import torch
from torch.autograd.functional import hvp, jvp, vhp, vjp

x = torch.tensor([1.0, 2.0])
y = torch.tensor([3.0, 4.0])


def f(a, b):
    return a * b, (a**2).sum()


def g(a):
    return (a**3).sum()


v = torch.tensor([1.0, 10.0])
print(vjp(f, (x, y), (v, torch.tensor(2.0))))
print(jvp(f, (x, y), (v, v)))
print(vhp(g, x, v))
print(hvp(g, x, v))
print(vjp(g, x))
out, p = vjp(lambda a: a.exp(), x.requires_grad_(), v, create_graph=True)
print(out.requires_grad, p.requires_grad, p)
print(hvp(lambda a, b: (a * b).sum(), (x, y), (v, v)))
for run in (
    lambda: vjp(lambda a: a * 2, x),
    lambda: jvp(lambda a: a * 2, x),
    lambda: vjp(lambda a: a * 2, x, torch.ones(3)),
    lambda: vjp(f, (x, y), (v,)),
    lambda: jvp(f, (x, y), (v, torch.ones(3))),
    lambda: vjp(g, [x, y]),
    lambda: vjp(lambda a: 5, x),
    lambda: vhp(lambda a: a * 2, x, v),
    lambda: hvp(f, (x, y), (v, v)),
):
    try:
        print(run())
    except (RuntimeError, TypeError) as e:
        print(type(e).__name__, e)
