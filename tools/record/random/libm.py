"""Record what the C library computes, for the tests of autograd/random/internal/libm.

Usage: LD_PRELOAD=./rounding.so python3 libm.py > autograd/random/internal/libm/testdata/glibc.json, on x86-64 Linux with
a processor that has FMA (rounding.c says how to make rounding.so). CPython's math
module passes these functions on to the system's libm. The file was made with
glibc 2.41.

Each line of the result holds one function and one range of arguments: the first
results, and a hash of many: the first 16 hexadecimal digits of the SHA-256 of
their little-endian bytes. Arguments are low + (high-low)*u, u being the leading
53 bits of a number of the SplitMix64 sequence from 0, divided by 2^53.

The C library does not always round sine, cosine and tangent correctly. "off" has
the results in which it errs, as [index, difference]: the bits of its result, as an
integer, less the bits of the correctly rounded one.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import math
import platform
import struct
from collections.abc import Callable, Iterator

COUNT = 100_000
SPELLED = 8
MASK = 2**64 - 1

CASES: list[tuple[str, Callable[[float], float], float, float]] = [
    ("log", math.log, 0.0, 1.0),
    ("log", math.log, 0.9, 1.0),
    ("log", math.log, 0.0, 1e-300),
    ("log1p", math.log1p, -1.0, 0.0),
    ("log1p", math.log1p, -1e-5, 0.0),
    ("log1p", math.log1p, -1e-8, 0.0),
    ("log1p", math.log1p, -0.999999999, -0.99999),
    ("sin", math.sin, 0.0, 2 * math.pi),
    ("cos", math.cos, 0.0, 2 * math.pi),
    ("sin", math.sin, -1e-3, 1e-3),
    ("cos", math.cos, -1e-3, 1e-3),
    ("sin", math.sin, 3.1415, 3.1416),
    ("cos", math.cos, 1.5707, 1.5709),
    ("sin", math.sin, -1e5, 1e5),
    ("cos", math.cos, -1e5, 1e5),
    ("tan", math.tan, -math.pi / 2, math.pi / 2),
    ("tan", math.tan, -0.06, 0.06),
    ("tan", math.tan, 1.57, math.pi / 2),
    ("tan", math.tan, -25.0, 25.0),
    ("exp", math.exp, -10.0, 10.0),
    ("exp", math.exp, -511.0, 511.0),
    ("exp", math.exp, -1e-9, 1e-9),
]


def arguments(low: float, high: float) -> Iterator[float]:
    state = 0
    for _ in range(COUNT):
        state = (state + 0x9E3779B97F4A7C15) & MASK
        z = state
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
        z ^= z >> 31
        yield low + (high - low) * ((z >> 11) * 2.0**-53)


def evaluate(function: Callable[[float], float], xs: list[float], *, correctly: bool) -> bytes:
    ctypes.CDLL(None).round_correctly(int(correctly))
    return struct.pack(f"<{len(xs)}d", *map(function, xs))


def differences(raw: bytes, correct: bytes) -> list[list[int]]:
    pairs = zip(struct.iter_unpack("<q", raw), struct.iter_unpack("<q", correct), strict=True)
    return [[i, a - b] for i, ((a,), (b,)) in enumerate(pairs) if a != b]


def main() -> None:
    assert platform.libc_ver()[0] == "glibc", platform.libc_ver()
    lines = []
    for name, function, low, high in CASES:
        xs = list(arguments(low, high))
        raw = evaluate(function, xs, correctly=False)
        case = {
            "function": name,
            "low": low.hex(),
            "high": high.hex(),
            "count": COUNT,
            "first": [v.hex() for (v,) in struct.iter_unpack("<d", raw[: 8 * SPELLED])],
            "hash": hashlib.sha256(raw).hexdigest()[:16],
        }
        if off := differences(raw, evaluate(function, xs, correctly=True)):
            case["off"] = off
        lines.append(json.dumps(case, separators=(",", ":")))
    print("[\n" + ",\n".join(lines) + "\n]")


if __name__ == "__main__":
    main()
