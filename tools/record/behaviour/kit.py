"""How cases are written: functions that return what they observe."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch

Case = Callable[[], Any]
CASES: dict[str, Case] = {}


def case(f: Case) -> Case:
    """Adds a case; its name is the function's."""
    if f.__name__ in CASES:
        raise ValueError(f"two cases are called {f.__name__}")
    CASES[f.__name__] = f
    return f


def leaf(*values: float) -> torch.Tensor:
    """A float32 leaf that requires grad, [1, 2, 3] by default."""
    return torch.tensor(values or (1.0, 2.0, 3.0), requires_grad=True)


def scalar(value: float) -> torch.Tensor:
    """A 0-d leaf that requires grad."""
    return torch.tensor(value, requires_grad=True)


def rows() -> torch.Tensor:
    """A leaf of shape [2, 3] that requires grad."""
    return torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True)


def name(fn: Any) -> str:
    """The class of a node."""
    return type(fn).__name__ if fn is not None else "None"


def meta(t: torch.Tensor) -> str:
    """What a tensor says about itself."""
    flags = {
        "leaf": t.is_leaf,
        "view": t._is_view(),
        "requires_grad": t.requires_grad,
        "retains_grad": t.retains_grad,
        "inference": t.is_inference(),
    }
    version = "" if t.is_inference() else f" v{t._version}"
    on = " ".join(word for word, true in flags.items() if true)
    return f"{name(t.grad_fn)}:{t.output_nr}{version} {on}"


def tree(fn: Any) -> str:
    """The graph below a node as nested calls; an edge to output 0 has no number."""
    if fn is None:
        return "None"
    below = [
        tree(f) + (f":{i}" if i else "") for f, i in getattr(fn, "next_functions", ())
    ]
    return name(fn) + (f"({', '.join(below)})" if below else "")


def raised(f: Case) -> str:
    """The error that f raises, or what it returns."""
    try:
        return show(f())
    except Exception as e:
        return f"{type(e).__name__}: {e}"


@contextmanager
def all_warnings() -> Iterator[list[warnings.WarningMessage]]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield caught


def show(value: Any) -> str:
    """The text of an observation."""
    if isinstance(value, torch.Size):
        return repr(value)
    if isinstance(value, tuple):
        inner = ", ".join(show(v) for v in value)
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    if isinstance(value, list):
        return f"[{', '.join(show(v) for v in value)}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k}: {show(v)}" for k, v in value.items()) + "}"
    if hasattr(value, "next_functions"):
        return f"<{name(value)}>"
    return value if isinstance(value, str) else repr(value)
