# Tracebacks as the traceback module, logging and Python itself print them.
import io
import logging
import sys
import threading
import traceback

import torch
from torch import nn

logging.basicConfig(stream=sys.stdout, format="%(levelname)s %(message)s")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(4, 1))

    def forward(self, x):
        return self.inner(
            x * 2
        )


class Raises(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 1

    @staticmethod
    def backward(ctx, g):
        raise KeyError("in backward")


def attempt(f):
    try:
        f()
    except Exception:
        traceback.print_exc(file=sys.stdout)
        print("".join(traceback.format_exception(*sys.exc_info(), limit=-1)))
        print(traceback.extract_tb(sys.exc_info()[2])[-1].line)
        logging.exception("logged")


def hook(g):
    raise ZeroDivisionError("in a hook")


x = torch.ones(1, 2, requires_grad=True)
for _ in range(2):
    attempt(lambda: Net()(x))
attempt(lambda: torch.ones(2) + torch.ones(3))
for _ in range(12):
    try:
        torch.ones(2) @ torch.ones(3)
    except RuntimeError as e:
        last = traceback.format_exc()
print(last)
attempt(lambda: x[5])
attempt(lambda: x.__setitem__(7, 1))
attempt(lambda: torch.stack([x, 1]))
attempt(lambda: x.view(nothing=1))
attempt(lambda: torch.zeros(2).backward())
attempt(lambda: x.backward())
attempt(lambda: Raises.apply(x).sum().backward())
attempt(lambda: Raises.apply())
attempt(lambda: Raises.apply(x, 1, 2))
attempt(lambda: torch.autograd.grad(x.sum(), torch.ones(1)))
y = x * 2
y.register_hook(hook)
attempt(lambda: y.sum().backward())
attempt(lambda: x.grad.nothing)
attempt(lambda: setattr(x, "grad", torch.ones(5)))
attempt(lambda: setattr(x, "requires_grad", 3))
attempt(lambda: setattr(y, "requires_grad", False))
attempt(lambda: setattr(x, "data", 3))
attempt(lambda: y.sum().item().nothing)
attempt(lambda: x.item())
attempt(lambda: x.numpy())
attempt(lambda: float(x))
attempt(lambda: bool(x > 0))
attempt(lambda: x.retain_grad(1))
attempt(lambda: torch.ones(2).int().requires_grad_())
attempt(lambda: nn.Parameter(3))
attempt(lambda: nn.Parameter(torch.ones(2, dtype=torch.int64)))
attempt(lambda: nn.Linear(2, 2)(3))
attempt(lambda: nn.Linear(2, 2)())
attempt(lambda: torch.optim.SGD([x * 2], 0.1))
attempt(lambda: torch.optim.SGD([], 0.1))
attempt(lambda: torch.optim.Adam([x], -1))
attempt(lambda: nn.utils.clip_grad_norm_(None, 1.0))
attempt(lambda: nn.utils.clip_grad_norm_([torch.ones(1)], "a"))
attempt(lambda: torch.tensor([[1.0], [2.0, 3.0]]))
attempt(lambda: torch.nn.functional.cross_entropy(torch.ones(2, 3), torch.tensor([5, 1])))


def chained():
    try:
        torch.ones(2).view(3)
    except RuntimeError as e:
        raise ValueError("second") from e


attempt(chained)


def during():
    try:
        torch.ones(2).view(3)
    except RuntimeError:
        torch.ones(2) + torch.ones(3)


attempt(during)


def worker():
    Net()(x)


t = threading.Thread(target=worker, name="worker")
t.start()
t.join()
print(traceback.format_list(traceback.extract_stack())[-1])


class Prints(nn.Module):
    def forward(self, x):
        print("".join(traceback.format_stack(limit=4)))
        out = io.StringIO()
        traceback.print_stack(file=out, limit=3)
        print(out.getvalue())
        return x


def printing(g):
    print("".join(traceback.format_stack(limit=3)))


nn.Sequential(Prints())(x)
z = x * 1
z.register_hook(printing)
z.sum().backward()
Net()(x)
