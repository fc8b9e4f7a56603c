"""How the case files write their cases: tensors with fixed values, calls, variants."""

from __future__ import annotations

import copy
import itertools
import math
from collections.abc import Iterable
from typing import Any

Json = Any
Case = dict[str, Json]

# Values are spread over both signs, all different, away from integers and other kinks.
DOMAINS: dict[str, list[float]] = {
    "real": [0.55, -1.25, 2.25, -0.75, 1.6, -2.4, 0.3, 2.8, -0.1, 1.1, -1.7, 0.9],
    "other": [1.3, 0.7, -0.4, 2.6, -1.9, 0.15, -0.85, 1.75, 0.45, -2.2, 3.1, -0.65],
    "pos": [0.5, 1.25, 2.25, 0.75, 1.6, 2.4, 0.3, 2.8, 0.1, 1.1, 1.7, 0.9],
    "unit": [0.3, -0.6, 0.85, -0.2, 0.45, -0.9, 0.1, 0.7, -0.35, 0.55, -0.75, 0.15],
    "prob": [0.3, 0.6, 0.85, 0.2, 0.45, 0.9, 0.1, 0.7, 0.35, 0.55, 0.75, 0.15],
    "big": [1.5, 2.25, 3.75, 1.2, 5.5, 2.6, 4.1, 1.8, 3.3, 2.9, 1.05, 6.2],
    "int": [3, -2, 5, 1, -4, 7, 2, -1, 6, 4, -3, 8],
    "natural": [3, 2, 5, 1, 4, 7, 2, 1, 6, 4, 3, 8],
}

# What a case is about.
KINDS = {
    "f32": "the usual call, float32",
    "f64": "the usual call, float64",
    "0d": "a tensor without dimensions",
    "empty": "a tensor without elements",
    "kink": "zeros, ties, edges, nan, inf, -0",
    "strided": "inputs that are not contiguous",
    "int": "int64 inputs",
    "bool": "bool inputs",
    "promote": "several dtypes meet",
    "dtype": "a dtype is asked for",
    "broadcast": "shapes that differ",
    "number": "a Python number among the operands, or as the result",
    "const": "an operand that does not require grad",
    "same": "one tensor in two places, or the argument itself as the result",
    "nonleaf": "an argument with history",
    "view": "an argument that is a view",
    "item": "reading or assigning by index",
    "dim": "a dimension or several",
    "keepdim": "reduced dimensions that stay",
    "grad": "what asks for, keeps or drops requires_grad",
    "no-grad": "a call under torch.no_grad()",
    "out": "a result written into a given tensor",
    "method": "the method form",
    "dunder": "the operator's method",
    "alias": "another name of the operator",
    "shape": "metadata changed in place, or the ways to give a size",
    "literal": "Python values made into tensors",
    "inplace": "inplace=True",
    "warning": "a call that warns",
    "other-dtype": "dtypes beyond float32, float64, int64 and bool",
    "option": "what only this operator has",
    "error": "a call that raises",
}

nan, inf = math.nan, math.inf


def size(shape: Iterable[int]) -> int:
    return math.prod(shape)


def tensor(flat: list[Json], shape: Iterable[int], dtype: str, grad: bool) -> Json:
    spec: dict[str, Json] = {
        "dtype": dtype,
        "shape": list(shape),
        "values": [_text(v) for v in flat],
    }
    assert len(flat) == size(spec["shape"]), (flat, shape)
    if grad:
        spec["requires_grad"] = True
        spec["leaf"] = True
    return {"t": spec}


def _text(v: Json) -> Json:
    if isinstance(v, float) and not math.isfinite(v):
        return "nan" if math.isnan(v) else "inf" if v > 0 else "-inf"
    return v


def fill(shape: tuple[int, ...], dom: str, at: int) -> list[float]:
    """Values of a domain, beginning at position `at`; repeated values are shifted slightly."""
    pool = DOMAINS[dom]
    step = (
        0
        if dom in ("int", "natural")
        else 0.015625
        if dom in ("unit", "prob")
        else 0.03125
    )
    return [
        pool[(at + k) % len(pool)] + step * ((at + k) // len(pool))
        for k in range(size(shape))
    ]


def x(*shape: int, dom: str = "real", at: int = 0, dt: str = "float32") -> Json:
    """A leaf that requires grad."""
    return tensor(fill(shape, dom, at), shape, dt, True)


def y(*shape: int, dom: str = "other", at: int = 0, dt: str = "float32") -> Json:
    """Another leaf that requires grad, with other values than x in every domain."""
    return tensor(fill(shape, dom, at + 5), shape, dt, True)


def c(*shape: int, dom: str = "other", at: int = 0, dt: str = "float32") -> Json:
    """A constant, with other values than x and y."""
    return tensor(fill(shape, dom, at + 9), shape, dt, False)


def _nest(data: Json) -> tuple[list[Json], list[int]]:
    if not isinstance(data, list):
        return [data], []
    if not data:
        return [], [0]
    parts = [_nest(d) for d in data]
    return [v for flat, _ in parts for v in flat], [len(data), *parts[0][1]]


def v(data: Json, dt: str = "float32") -> Json:
    """A leaf that requires grad with the values of a nested list."""
    flat, shape = _nest(data)
    return tensor([float(f) for f in flat], shape, dt, True)


def k(data: Json, dt: str = "float32") -> Json:
    """A constant with the values of a nested list."""
    flat, shape = _nest(data)
    return tensor(
        [float(f) for f in flat] if dt.startswith(("float", "bf")) else flat,
        shape,
        dt,
        False,
    )


def i(data: Json) -> Json:
    """An int64 tensor."""
    return k(data, "int64")


def b(data: Json) -> Json:
    """A bool tensor; 0 and 1 may stand for False and True."""
    flat, shape = _nest(data)
    return tensor([bool(f) for f in flat], shape, "bool", False)


def nonleaf(arg: Json) -> Json:
    """The leaf multiplied by 1: what in-place operators may change."""
    out = copy.deepcopy(arg)
    out["t"]["leaf"] = False
    return out


def dt(name: str) -> Json:
    return {"dtype": name}


def ref(number: int) -> Json:
    return {"ref": number}


def call(fn: str, *args: Json, item: int | None = None) -> Json:
    """An argument that is itself the result of a call; `item` picks from a tuple."""
    body: dict[str, Json] = {"fn": fn, "args": [tag(a) for a in args]}
    if item is not None:
        body["item"] = item
    return {"call": body}


def layout(arg: Json, strides: list[int], offset: int = 0) -> Json:
    """The same logical values with other strides, inside a storage padded with 9s."""
    out = copy.deepcopy(arg)
    spec = out["t"]
    shape, flat = spec["shape"], spec.pop("values")
    length = (
        offset + 1 + sum((n - 1) * s for n, s in zip(shape, strides)) if flat else 0
    )
    pad: Json = {"bool": True, "int64": 9}.get(spec["dtype"], 9.0)
    storage = [pad] * length
    for number, value in enumerate(flat):
        place, rest = offset, number
        for n, s in zip(reversed(shape), reversed(strides)):
            place += rest % n * s
            rest //= n
        storage[place] = value
    spec |= {"strides": strides, "offset": offset, "storage_values": storage}
    return out


def turned(arg: Json) -> Json:
    """Column-major: as the transpose of a contiguous tensor."""
    steps: list[int] = []
    step = 1
    for n in arg["t"]["shape"]:
        steps.append(step)
        step *= n
    return layout(arg, steps)


def gapped(arg: Json) -> Json:
    """Every other element of a larger storage, beginning at 1."""
    steps: list[int] = []
    step = 2
    for n in reversed(arg["t"]["shape"]):
        steps.insert(0, step)
        step *= n
    return layout(arg, steps, 1)


def tag(value: Json) -> Json:
    """A Python value as a tagged argument."""
    if value is Ellipsis:
        return {"ellipsis": True}
    if isinstance(value, slice):
        return {"slice": [value.start, value.stop, value.step]}
    if isinstance(value, tuple):
        return {"tuple": [tag(a) for a in value]}
    if isinstance(value, list):
        return [tag(a) for a in value]
    if isinstance(value, float) and not math.isfinite(value):
        return {"f": _text(value)}
    return value


class Family:
    """A list of cases with ids family/operator-variant, "-2" and so on where a variant repeats."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.cases: list[Case] = []
        self._used: set[str] = set()

    def add(
        self,
        variant: str,
        fn: str,
        *args: Json,
        kind: str = "",
        no_grad: bool = False,
        no_values: bool = False,
        **kwargs: Json,
    ) -> None:
        """One case. The aspect it is for is `kind`, or the variant's first word, or "option"."""
        name = self._unused(f"{fn.partition('.')[2]}-{variant}")
        case: Case = {
            "id": f"{self.name}/{name}",
            "fn": fn,
            "args": [tag(a) for a in args],
        }
        case["kind"] = next(
            (w for w in (kind, variant.partition("-")[0]) if w in KINDS), "option"
        )
        if kwargs:
            case["kwargs"] = {n: tag(a) for n, a in kwargs.items()}
        if no_grad:
            case["no_grad"] = True
        if no_values:
            case["no_values"] = True
        self.cases.append(case)

    def _unused(self, name: str) -> str:
        """The name, with a number when a variant is used more than once."""
        candidates = (name if n == 1 else f"{name}-{n}" for n in itertools.count(1))
        free = next(c for c in candidates if c not in self._used)
        self._used.add(free)
        return free

    def fails(self, variant: str, fn: str, *args: Json, **kwargs: Json) -> None:
        """A case that is meant to raise."""
        self.add(f"error-{variant}", fn, *args, kind="error", **kwargs)
