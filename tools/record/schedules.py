"""Records the learning rates of PyTorch 2.6's schedulers.

    python3 tools/record/schedules.py > autograd/optim/testdata/schedules.json
"""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Callable
from typing import Any

import torch
from torch.optim import lr_scheduler

EPOCHS = 12

Make = Callable[[torch.optim.Optimizer], Any]
SCHEDULES: dict[str, Make] = {
    "step": lambda o: lr_scheduler.StepLR(o, 3, 0.1),
    "step of one": lambda o: lr_scheduler.StepLR(o, 1, 0.7),
    "exponential": lambda o: lr_scheduler.ExponentialLR(o, 0.9),
    "one function": lambda o: lr_scheduler.LambdaLR(o, lambda e: 1 / (1 + e)),
    "two functions": lambda o: lr_scheduler.LambdaLR(o, [lambda e: 1 - e / 20, lambda e: float(e // 4)]),
}


def record(make: Make) -> dict[str, Any]:
    params = [torch.ones(1, requires_grad=True) for _ in range(2)]
    o = torch.optim.SGD([{"params": params[:1]}, {"params": params[1:], "lr": 1}], lr=0.3)
    s = make(o)
    first = repr(o)
    rates = []
    for _ in range(EPOCHS):
        rates.append([float(lr).hex() for lr in s.get_last_lr()])
        o.step()
        s.step()
    return {"repr": first, "rates": rates}


def early() -> str:
    """The warning about a scheduler's step before the optimizer's."""
    o = torch.optim.SGD([torch.ones(1, requires_grad=True)])
    s = lr_scheduler.StepLR(o, 3)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        s.step()
        s.step()
    return "\n".join(f"{w.category.__name__}: {w.message}" for w in caught)


def main() -> None:
    document = {name: record(make) for name, make in SCHEDULES.items()}
    json.dump({"schedules": document, "early": early()}, sys.stdout, indent=1)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
