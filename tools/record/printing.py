"""Record how PyTorch prints random tensors.

usage: tools/record/printing.py [CASES [SEED]] > autograd/internal/repr/testdata/torch.jsonl    (PyTorch 2.6)

Each line is one case, with short keys because there are thousands:

    d  dtype
    s  shape
    v  base64 of the little-endian elements; repeated cyclically to fill the shape
    o  arguments of set_printoptions, if any
    f  default dtype, if not float32
    g  class name of the grad_fn, if any
    q  1 if the tensor requires grad
    p  1 if it is a parameter
    m  1 if it has no storage (v is absent)
    r  its repr
"""

from __future__ import annotations

import base64
import json
import math
import random
import sys
from typing import Any

import torch

FLOATS = ["float32", "float64", "float16", "bfloat16"]
INTS = {"uint8": 8, "int8": 8, "int16": 16, "int32": 32, "int64": 64}
DTYPES = ["float32"] * 7 + FLOATS * 2 + [*INTS] + ["int64", "bool"]

# Of the lines longer than this only a few are kept.
LONG = 1200

SPECIAL = [0.0, -0.0, math.nan, math.inf, -math.inf]
# Values at which a rule changes its mind, and exact halves in the last place.
CORNERS = [
    1e-4, 9.99999e-5, 0.00010000001, 1000.0, 1001.0, 1000.5, 1e8, 1.00000001e8,
    1e8 + 8, 99999999.0, 0.5, 1.5, 2.5, 0.03125, 0.09375, 0.00005, 0.00015,
    9.99995, 99999.5, 999.99999, 1e-45, 1.17549435e-38, 3.4028234663852886e38,
    65504.0, 6e-8, 16777216.0, 123456.789, 1e10, 1e-10,
]  # fmt: skip
CORNERS_64 = [5e-324, 1.7976931348623157e308, 1e-99, 9.99996e-100, 1e100, 9.9999e99]


def float_values(rng: random.Random, n: int, dtype: str) -> list[float]:
    def gauss() -> float:
        return rng.gauss(0, 1)

    scale = 10.0 ** rng.randint(-6, 9)
    top = 10 ** rng.randint(0, 10)
    corners = CORNERS + (CORNERS_64 if dtype == "float64" else [])
    few = rng.sample(corners, rng.randint(1, 4))
    kinds = [
        lambda: gauss(),
        lambda: gauss() * scale,
        lambda: gauss() * 10.0 ** rng.uniform(-5, 5),
        lambda: float(rng.randint(-9, 9)),
        lambda: float(rng.randint(-top, top)),
        lambda: rng.choice([*SPECIAL, 1.0, -3.0]),
        lambda: rng.choice([*SPECIAL, 2.5, -0.125]),
        lambda: rng.choice(SPECIAL),
        lambda: 0.0,
        lambda: rng.choice(few),
        lambda: rng.choice([-1.0, 1.0]) * rng.choice(few),
        lambda: rng.choice([0.0, gauss()]),
        lambda: rng.uniform(0, 1) * 10.0 ** rng.uniform(-5, -3),
        lambda: rng.randint(-400, 400) / 2 ** rng.randint(1, 7),
        lambda: rng.uniform(-100, 100),
    ]
    if dtype == "float64":
        kinds.append(lambda: gauss() * 10.0 ** rng.uniform(-300, 300))
        kinds.append(lambda: 10.0 ** rng.uniform(-120, 120))
    kind = rng.choice(kinds)
    return [kind() for _ in range(n)]


def int_values(rng: random.Random, n: int, bits: int, signed: bool) -> list[int]:
    low = -(2 ** (bits - 1)) if signed else 0
    high = 2 ** (bits - 1) - 1 if signed else 2**bits - 1
    size = 10 ** rng.randint(0, 19)
    low, high = max(low, -size), min(high, size)
    if rng.random() < 0.1:
        return [rng.choice([low, high, 0]) for _ in range(n)]
    if rng.random() < 0.3:
        low = 0
    return [rng.randint(low, high) for _ in range(n)]


def pattern(rng: random.Random, n: int, dtype: str) -> torch.Tensor:
    values: list[Any]
    if dtype == "bool":
        share = rng.choice([0.0, 0.5, 1.0])
        values = [rng.random() < share for _ in range(n)]
    elif dtype in INTS:
        values = int_values(rng, n, INTS[dtype], dtype != "uint8")
    else:
        values = float_values(rng, n, dtype)
    return torch.tensor(values, dtype=getattr(torch, dtype))


def shape(rng: random.Random) -> list[int]:
    kind = rng.random()
    if kind < 0.1:
        return []
    if kind < 0.35:
        return [rng.choice([1, 2, 3, 4, 5, 6, 7, 8, 10, 13, 20, 30, 41])]
    if kind < 0.6:
        return [rng.randint(1, 8), rng.choice([1, 2, 3, 4, 5, 7, 9, 12, 13])]
    if kind < 0.7:
        return [rng.randint(1, 4), rng.randint(1, 4), rng.randint(1, 5)]
    if kind < 0.75:
        return [rng.randint(1, 3) for _ in range(4)]
    if kind < 0.78:
        return [rng.choice([1, 1, 2]) for _ in range(rng.randint(5, 8))]
    if kind < 0.83:  # no elements
        sizes = [rng.randint(0, 3) for _ in range(rng.randint(1, 4))]
        sizes[rng.randrange(len(sizes))] = 0
        return sizes
    if kind < 0.89:  # around the threshold and above
        return [rng.choice([999, 1000, 1001, 1001, 1500, 100003])]
    if kind < 0.95:
        return [rng.choice([2, 6, 7, 8, 60, 400]), rng.choice([6, 7, 8, 200, 1001])]
    return rng.choice(
        [
            [7, 7, 30],
            [2, 600, 1],
            [10, 10, 11],
            [1, 1, 1001],
            [1001, 1, 1],
            [6, 6, 6, 6],
            [7, 2, 9, 8],
            [2, 3, 4, 60],
            [3, 7, 7, 7],
        ]
    )


def print_options(rng: random.Random) -> dict[str, Any]:
    options: dict[str, Any] = {}
    if rng.random() < 0.55:
        return options
    if rng.random() < 0.3:
        options["precision"] = rng.choice([0, 1, 2, 3, 6, 8, 10, 17, 30])
    if rng.random() < 0.3:
        options["threshold"] = rng.choice([0, 1, 5, 20, 100, 2.5, -1])
    if rng.random() < 0.3:
        options["edgeitems"] = rng.choice([0, 1, 2, 4, 5])
    if rng.random() < 0.3:
        options["linewidth"] = rng.choice([1, 10, 20, 33, 60, 79, 81, 100, 120, 200])
    if rng.random() < 0.4:
        options["sci_mode"] = rng.choice([True, False])
    if rng.random() < 0.25:
        options["profile"] = rng.choice(["default", "short", "full", "other"])
    return options


class _Named(torch.autograd.Function):
    """Identity; subclasses give the graph node a name."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        return x.view_as(x)

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> torch.Tensor:
        return grad


def with_graph(rng: random.Random, t: torch.Tensor) -> torch.Tensor:
    """Give t a grad_fn, mark it or leave it as it is."""
    choice = rng.random()
    if choice < 0.3:
        return t
    if choice < 0.45:
        return torch.nn.Parameter(t, requires_grad=rng.random() < 0.8)
    t.requires_grad_()
    if choice < 0.65:
        return t
    if choice < 0.75:
        return t.clone()
    length = rng.choice([1, 5, 10, 20, 30, 40, 45, 50, 55, 60, 70, 90])
    name = "N" + rng.choice("aé") * (length + rng.randint(0, 5))
    return type(name, (_Named,), {}).apply(t)


def raw(t: torch.Tensor) -> str:
    data = t.detach().contiguous().view(torch.uint8).numpy().tobytes()
    return base64.b64encode(data).decode()


def make_case(rng: random.Random) -> dict[str, Any]:
    dtype = rng.choice(DTYPES)
    sizes = shape(rng)
    n = math.prod(sizes)
    options = print_options(rng)
    if n > 2000 and options.get("profile") == "full":
        return make_case(rng)
    case: dict[str, Any] = {"d": dtype, "s": sizes}
    if rng.random() < 0.02:
        case["m"] = 1
        t = torch.empty(sizes, dtype=getattr(torch, dtype), device="meta")
    else:
        period = pattern(rng, n if n <= 30 else rng.choice([11, 17, 23, 37]), dtype)
        case["v"] = raw(period)
        if n > 0:
            period = period.repeat(-(-n // len(period)))[:n]
        t = period.reshape(sizes)
    if dtype in FLOATS:
        t = with_graph(rng, t)
    if options:
        case["o"] = options
    if t.grad_fn is not None:
        case["g"] = type(t.grad_fn).__name__
    if t.requires_grad:
        case["q"] = 1
    if isinstance(t, torch.nn.Parameter):
        case["p"] = 1
    default = rng.choice(["float32"] * 8 + ["float64", "float16"])
    if default != "float32":
        case["f"] = default
    torch.set_printoptions(profile="default")
    torch.set_printoptions(**options)
    torch.set_default_dtype(getattr(torch, default))
    case["r"] = repr(t)
    torch.set_default_dtype(torch.float32)
    return case


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 3400
    rng = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    while count > 0:
        line = json.dumps(make_case(rng), ensure_ascii=False, separators=(",", ":"))
        if len(line) > LONG and rng.random() < 0.95:
            continue
        print(line)
        count -= 1


if __name__ == "__main__":
    main()
