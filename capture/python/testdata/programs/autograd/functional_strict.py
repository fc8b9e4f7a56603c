import torch
from torch.autograd.functional import hessian, hvp, jacobian, jvp, vhp, vjp

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = torch.tensor([3.0, 4.0], requires_grad=True)


def attempt(f):
    try:
        print(f())
    except RuntimeError as e:
        print(e)


def constant(a):
    return torch.ones(2)


def linear(a):
    return (a * 3).sum()


def first(a, b):
    return (a**2).sum()


for f in (vjp, jvp):
    attempt(lambda: f(constant, x, torch.ones(2), strict=True))
    attempt(lambda: f(constant, x, torch.ones(2)))
attempt(lambda: jacobian(constant, x, strict=True))
attempt(lambda: jacobian(first, (x, y), strict=True))
attempt(lambda: jacobian(first, (x, y)))
attempt(lambda: vjp(first, (x, y), strict=True))
attempt(lambda: jacobian(lambda a: a * 2, x, strict=True, create_graph=True))
attempt(lambda: vjp(linear, x, strict=True, create_graph=True))
attempt(lambda: hessian(linear, x, strict=True))
attempt(lambda: hessian(linear, x))
attempt(lambda: vhp(linear, x, torch.ones(2), strict=True))
attempt(lambda: vhp(linear, x, torch.ones(2)))
attempt(lambda: hvp(linear, x, torch.ones(2), strict=True))
attempt(lambda: hvp(lambda a: (a**2).sum(), x, torch.ones(2), strict=True, create_graph=True))
attempt(lambda: jacobian(lambda a: a, x, strict=True, vectorize=True))
attempt(lambda: jacobian(lambda a: a, x, strict=True, strategy="forward-mode"))
