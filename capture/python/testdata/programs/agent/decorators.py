import contextlib
import functools

import torch


def logged(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        result = f(*args, **kwargs)
        print(f.__name__, tuple(result.shape))
        return result

    return wrapper


@logged
@torch.no_grad()
def double(x):
    """Twice x."""
    return x * 2


@functools.lru_cache(maxsize=None)
def table(n):
    print("table", n)
    return torch.arange(n) ** 2


@contextlib.contextmanager
def scaled(x):
    yield x * 10
    print("left")


x = torch.ones(2, requires_grad=True)
print(double(x), double.__name__, double.__doc__)
print(table(3), table(3))
with scaled(x) as y:
    z = y.sum()
z.backward()
print(x.grad)
add = functools.partial(torch.add, alpha=3)
print(add(x, x), functools.reduce(torch.add, [x, x, x]))
with scaled(x) as y:
    y @ torch.ones(3)
