"""Calls of PyTorch's CPU generator: how record.py writes them down and runs them.

A call is {"op", "type", "n", "args"}; "strided" marks a target that is not
contiguous. Its results are "values" (hexadecimal floats, integers or booleans in
memory order) or "hash": the first 16 hexadecimal digits of the SHA-256 of the
elements' little-endian bytes. Floating-point arguments are hexadecimal too.

PyTorch's float64 normal, cauchy and log normal samples inherit the rounding
errors of the C library's sine, cosine and tangent. "off" lists the elements in
which they show, as [index, difference]: the bits of PyTorch's result, as an
integer, less the bits of what PyTorch computes when these functions are rounded
correctly. The difference is one or two units in the last place of the sample of
mean 0, which is many of the result where adding the mean cancels.
"""

from __future__ import annotations

import ctypes
import hashlib
import math
import struct
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

Call = dict[str, Any]
Target = Callable[[int, torch.dtype], tuple[Tensor, Tensor]]

DTYPES: dict[str, torch.dtype] = {
    "float32": torch.float32,
    "float64": torch.float64,
    "int64": torch.int64,
    "bool": torch.bool,
}
FLOATS = ("float32", "float64")
NUMBERS = (*FLOATS, "int64")
# Up to this number of elements the values are recorded, not their hash. So are
# NaN, whose bits say nothing.
SPELLED = 9

# Where torch.get_rng_state() has the cached normal value, a float64.
NORMAL_AT = 24 + 8 * 624 + 8


def hex_float(v: float) -> str:
    if not math.isfinite(v):
        return str(v)
    mantissa, exponent = v.hex().split("p")
    return f"{mantissa.rstrip('0').rstrip('.') if '.' in mantissa else mantissa}p{exponent}"


def raw(t: Tensor) -> bytes:
    t = t.detach().contiguous()
    return ctypes.string_at(t.data_ptr(), t.numel() * t.element_size()) if t.numel() else b""


def digest(b: bytes) -> str:
    return hashlib.sha256(b).hexdigest()[:16]


def state() -> bytes:
    return raw(torch.get_rng_state())


def round_correctly(on: bool) -> None:
    """Choose sine, cosine and tangent from rounding.c or from the C library."""
    ctypes.CDLL(None).round_correctly(int(on))


def differences(result: Tensor, correct: Tensor) -> list[list[int]]:
    """What calls have in "off"."""
    if result.dtype != torch.float64:
        assert raw(result) == raw(correct)
        return []
    d = result.flatten().view(torch.int64) - correct.flatten().view(torch.int64)
    return [[i, d[i].item()] for i in d.nonzero().flatten().tolist()]


def normal_difference(state: bytes, correct: bytes) -> int:
    """What differs in the bits of two states' cached normal value."""
    (a,), (b,) = (struct.unpack_from("<q", s, NORMAL_AT) for s in (state, correct))
    return a - b


def listed(t: Tensor) -> list[Any]:
    return [hex_float(v) if isinstance(v, float) else v for v in t.flatten().tolist()]


def record(call: Call, result: Tensor, correct: Tensor) -> None:
    if result.numel() <= SPELLED or result.isnan().any():
        call["values"] = listed(result)
    else:
        call["hash"] = digest(raw(result))
    if off := differences(result, correct):
        call["off"] = off


# How a target of n elements is made: a tensor to fill and the same memory as a
# contiguous-looking tensor whose order is the memory's.
def contiguous(n: int, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    t = torch.zeros(n, dtype=dtype)
    return t, t


def every_second(n: int, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    t = torch.zeros(2 * n, dtype=dtype)[::2]
    return t, t


def transposed(n: int, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    base = torch.zeros(n, dtype=dtype)
    rows = next((r for r in range(2, n) if n % r == 0), 1)
    return base.view(rows, n // rows).t(), base


def permuted(n: int, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    base = torch.zeros(n, dtype=dtype)
    return base.view(2, n // 4, 2).permute(2, 0, 1), base


def floats(call: Call, *names: str) -> list[float]:
    return [float.fromhex(call["args"][name]) for name in names]


def probabilities(call: Call, target: Tensor) -> Tensor:
    """The argument of "bernoulli each", in the memory order of the target."""
    dtype = DTYPES[call["args"]["ptype"]]
    if "p" in call["args"]:
        return torch.tensor([float(v) for v in call["args"]["p"]], dtype=dtype)
    n = call["n"]
    p = torch.tensor([((37 * i + 11) % 101) / 101 for i in range(n)], dtype=dtype)
    p[:2] = torch.tensor([0.0, 1.0])[:n]
    return p.view(target.t().shape).t() if target.dim() == 2 else p


def multinomial(call: Call) -> Tensor:
    a = call["args"]
    w = torch.tensor([float(v) for v in a["weights"]], dtype=DTYPES[call["type"]])
    if a["rows"] > 0:
        w = w.view(a["rows"], -1)
    return torch.multinomial(w, a["samples"], a["replacement"])


def topk(call: Call) -> Tensor:
    """The order of equal values: i*i*step modulo some number, or a permutation
    that makes the median of three a bad pivot."""
    length, modulus, step = (call["args"][name] for name in ("length", "modulus", "step"))
    if modulus > 0:
        values = [i * i * step % modulus for i in range(length)]
    else:
        half = length // 2
        values = [-(i + 1 if i % 2 == 0 else half + i) for i in range(half)] + [-2 * (i + 1) for i in range(half)]
    t = torch.tensor(values, dtype=DTYPES[call["type"]])
    return torch.topk(t, call["n"]).indices


def linear(call: Call) -> Tensor:
    layer = torch.nn.Linear(call["args"]["in"], call["args"]["out"], dtype=DTYPES[call["type"]])
    return torch.cat([layer.weight.detach().flatten(), layer.bias.detach()])


def dropout(call: Call) -> Tensor:
    (p,) = floats(call, "p")
    return torch.nn.functional.dropout(torch.ones(call["n"], dtype=DTYPES[call["type"]]), p)


# Operations that make their result, and operations that fill a target.
MAKERS: dict[str, Callable[[Call], Tensor]] = {
    "randperm": lambda c: torch.randperm(c["n"], dtype=DTYPES[c["type"]]),
    "dropout": dropout,
    "multinomial": multinomial,
    "topk": topk,
    "linear": linear,
}
FILLERS: dict[str, Callable[[Tensor, Call], Any]] = {
    "uniform": lambda t, c: t.uniform_(*floats(c, "from", "to")),
    "normal": lambda t, c: t.normal_(*floats(c, "mean", "std")),
    "randint": lambda t, c: t.random_(c["args"]["from"], c["args"]["to"]),
    "random": lambda t, _: t.random_(),
    "bernoulli": lambda t, c: t.bernoulli_(*floats(c, "p")),
    "bernoulli each": lambda t, c: t.bernoulli_(probabilities(c, t)),
    "exponential": lambda t, c: t.exponential_(*floats(c, "rate")),
    "geometric": lambda t, c: t.geometric_(*floats(c, "p")),
    "cauchy": lambda t, c: t.cauchy_(*floats(c, "median", "sigma")),
    "log normal": lambda t, c: t.log_normal_(*floats(c, "mean", "std")),
}


def run(call: Call, target: Target = contiguous) -> Tensor:
    """Run one call and return its elements in memory order."""
    if call["op"] in MAKERS:
        return MAKERS[call["op"]](call)
    t, memory = target(call["n"], DTYPES[call["type"]])
    if target is not contiguous and not t.is_contiguous():
        call["strided"] = True
    FILLERS[call["op"]](t, call)
    return memory


def call(op: str, dtype: str, n: int, **args: Any) -> Call:
    args = {k.rstrip("_"): hex_float(v) if isinstance(v, float) else v for k, v in args.items()}
    return {"op": op, "type": dtype, "n": n, "args": args}
