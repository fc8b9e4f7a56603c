"""Errors and warnings after operations that the program does not wait for."""

import sys
import traceback
import warnings

import torch


def where():
    e = sys.exc_info()[1]
    return type(e).__name__, traceback.extract_tb(e.__traceback__)[0].lineno, str(e).split("\n")[0]


p = torch.ones(2, requires_grad=True)
for n in (2, 2, 2, 3):
    try:
        a = p * 2.0
        b = a - p
        c = b + torch.ones(n)
        d = c * 2.0
    except RuntimeError:
        print(where())

for k in range(3):
    try:
        l = (p * 2.0).sum()
        l.backward()
        l.backward() if k else None
        (p * p).sum().backward()
    except RuntimeError:
        print(where(), p.grad)

for _ in range(3):
    y = (p * 2.0) ** 2.0
    z = y.sum()
    p.grad = torch.zeros_like(p)
    try:
        p.grad = p
    except RuntimeError:
        print(where())
    try:
        p.grad = torch.zeros(3)
    except RuntimeError:
        print(where())
    try:
        with torch.no_grad():
            q = p.view(2)
        q.mul_(y)
    except RuntimeError:
        print(where())
    try:
        p.add_(1.0)
    except RuntimeError:
        print(where())
    z.backward()
    print(p.grad)

for _ in range(3):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        torch.nn.functional.mse_loss(torch.ones(2), torch.ones(2, 1))
        torch.ones(1).std()
        (p * 2.0).grad
    print([(w.category.__name__, w.lineno) for w in caught])

# Views that several came from cannot be used once their base was changed.
for _ in range(3):
    base = torch.ones(2, 2)
    rows = base.unbind()
    ok = rows[0] * 2.0
    with torch.no_grad():
        view = base[0]
    ok = view * 2.0
    base.mul_(p)
    for t in (rows[0], view, base[0]):
        try:
            print((t * 2.0).requires_grad)
        except RuntimeError:
            print(where()[:2])

del base, rows, view, t
x = p * 1.0
for _ in range(5):
    x = x * 2.0 - p
raise ValueError(x.sum().item())
