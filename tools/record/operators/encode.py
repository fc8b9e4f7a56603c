"""Tensors and Python values as JSON, in a form that reads back bit for bit."""

from __future__ import annotations

import math
import struct
from typing import Any

import torch

Json = Any


def number(value: float) -> Json:
    """A float as a JSON number, or as "nan", "inf", "-inf"."""
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return value


def single(value: float) -> Json:
    """The shortest decimal that reads back as the same float32.

    It must survive a reader that goes through float64, hence the round trip that is tried.
    """
    if not math.isfinite(value):
        return number(value)
    bits = struct.pack("f", value)
    for digits in range(1, 10):
        short = float(f"{value:.{digits}g}")
        if abs(short) < 3.5e38 and _pack(short) == bits:
            return short
    return value


def _pack(value: float) -> bytes:
    try:
        return struct.pack("f", value)
    except OverflowError:
        return b""


def values(t: torch.Tensor) -> list[Json]:
    """All elements in row-major logical order."""
    if t._is_zerotensor():  # zeros that autograd made without memory
        t = torch.zeros(t.shape, dtype=t.dtype)
    flat = t.detach().contiguous().view(-1).tolist()
    if t.dtype == torch.float64:
        return [number(v) for v in flat]
    if t.dtype.is_floating_point:
        return [single(v) for v in flat]
    return flat


def dtype_name(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def row_major(shape: tuple[int, ...]) -> tuple[int, ...]:
    """The strides of a contiguous tensor."""
    strides: list[int] = []
    step = 1
    for size in reversed(shape):
        strides.append(step)
        step *= max(size, 1)
    return tuple(reversed(strides))


def tensor(t: torch.Tensor) -> dict[str, Json]:
    """Shape, dtype, values; strides only when they are not the row-major ones."""
    out: dict[str, Json] = {
        "dtype": dtype_name(t.dtype),
        "shape": list(t.shape),
        "values": values(t),
    }
    if tuple(t.stride()) != row_major(tuple(t.shape)):
        out["strides"] = list(t.stride())
    return out


def plain(value: object) -> Json:
    """A Python value that is not a tensor, tagged as arguments are."""
    if isinstance(value, bool) or value is None or isinstance(value, (int, str)):
        return value
    if isinstance(value, float):
        text = number(value)
        return {"f": text} if isinstance(text, str) else text
    if isinstance(value, torch.dtype):
        return {"dtype": dtype_name(value)}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    return {"repr": type(value).__name__}
