"""The same change of leaves in place in and out of blocks without gradients."""

import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
b = torch.tensor([0.5], requires_grad=True)


def attempt(what, f):
    try:
        result = f()
    except RuntimeError as e:
        print(what, "raised", e)
    else:
        print(what, result if result is None else result.tolist())


def update():
    global w
    w -= 0.1


print("leaves")
for i in range(3):
    with torch.no_grad():
        w -= 0.5
        w.mul_(2.0)
        b.add_(w.sum(), alpha=0.5)
        w /= 4.0
        update()
    attempt("update", update)
    attempt("mul_", lambda: w.mul_(2.0))
    with torch.no_grad(), torch.enable_grad():
        attempt("enabled", update)
    with torch.set_grad_enabled(False):
        update()
        with torch.set_grad_enabled(True):
            attempt("set", update)
    print(w.tolist(), b.tolist(), w._version)


@torch.no_grad()
def decorated(n):
    w.add_(1.0)
    if n:
        raise ValueError


@torch.no_grad()
def generated():
    for _ in range(2):
        w.sub_(1.0)
        yield w.tolist()


print("decorated")
for i in range(3):
    decorated(0)
    try:
        decorated(1)
    except ValueError:
        attempt("after an exception", lambda: w.add_(1.0))
    for values in generated():
        attempt("between", lambda: w.sub_(1.0))
    print(w.tolist())

print("blocks out of order")
outer, inner = torch.no_grad(), torch.enable_grad()
outer.__enter__()
w.add_(1.0)
inner.__enter__()
attempt("inner", lambda: w.add_(1.0))
outer.__exit__(None, None, None)
attempt("outer", lambda: w.add_(1.0))
inner.__exit__(None, None, None)
attempt("off", lambda: w.add_(1.0))
torch.set_grad_enabled(True)
attempt("on", lambda: w.add_(1.0))
