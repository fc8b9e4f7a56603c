"""Record how Python writes and formats numbers.

usage: tools/record/formatting.py [CASES [SEED]] > autograd/internal/repr/testdata/python.jsonl    (CPython 3.13)

Each line is one case: the value as "f" (hexadecimal bits of a float), "i"
(decimal digits of an int, as a string) or "b" (a bool); the format
specification "s"; then the text "r", or the exception "e" with its message "x".
The empty specification gives str(value).
"""

from __future__ import annotations

import json
import math
import random
import struct
import sys
from typing import Any

FLOATS = [
    0.0, -0.0, 1.0, -1.0, 0.1, 1e-5, 1e-4, 9.9999e-5, 1e15, 1e16, 9999999999999998.0,
    123456789.0, 0.5, 1.5, 2.5, 0.125, -0.001, 5e-324, 1.7976931348623157e308,
    math.nan, -math.nan, math.inf, -math.inf, 1e22, 1e23, 2.0**53, 999999.5, 99.5,
    0.045, 1.005, 2.675, 1234.5678, 1e100, 3.14159265358979,
]  # fmt: skip
INTS = [0, 1, -1, 7, 65, 233, 1000, -12345, 8364, 10**9, 2**53 + 1, -(2**63), 2**63 - 1]
FLOAT_CODES = "fffggeeFGE%n"
INT_CODES = "dddbboxXnc"
ALL_CODES = FLOAT_CODES + INT_CODES
BROKEN = [
    ".", "5 ", "q", "\x01", ",_", "_,", ",x", ",n", "_c", "99999999999999999999",
    ".3000000000", "zz", "<<<<", "8.f2", "é", ",é", "é8f", "d", "x", "s", "c", "+c",
    "#c", "zc", ".2d", "zd", ".2x", "9" * 19, "__", ",,", "5,,", "0 5", "+-5", "z#z",
    "1.2.3", "f5", "%%", "5000000000000000000", ".99999999999999999999f", "<", "^^",
]  # fmt: skip


def number(rng: random.Random) -> dict[str, Any]:
    kind = rng.random()
    if kind < 0.05:
        return {"b": rng.random() < 0.5}
    if kind < 0.3:
        small = rng.randint(-(10 ** rng.randint(0, 18)), 10 ** rng.randint(0, 18))
        return {"i": str(rng.choice([rng.choice(INTS), small]))}
    v = rng.choice(
        [
            rng.choice(FLOATS),
            rng.gauss(0, 1) * 10.0 ** rng.randint(-20, 20),
            rng.gauss(0, 1),
            float(rng.randint(-(10**9), 10**9)),
            rng.randint(-999, 999) / 2 ** rng.randint(1, 10),
            struct.unpack("<f", struct.pack("<f", rng.gauss(0, 1)))[0],
            struct.unpack("<d", rng.randbytes(8))[0],
        ]
    )
    return {"f": struct.pack(">d", v).hex()}


def specification(rng: random.Random, codes: str) -> str:
    kind = rng.random()
    if kind < 0.15:
        return ""
    if kind < 0.22:
        return rng.choice(BROKEN)
    parts = []

    def maybe(share: float, choices: list[str]) -> None:
        if rng.random() < share:
            parts.append(rng.choice(choices))

    if rng.random() < 0.35:
        maybe(0.5, ["*", "0", "é", " ", "<"])
        parts.append(rng.choice("<>=^"))
    maybe(0.2, ["+", "-", " "])
    maybe(0.08, ["z"])
    maybe(0.1, ["#"])
    maybe(0.2, ["0"])
    maybe(0.5, ["1", "3", "8", "10", "12", "25", "40", "000", "007"])
    maybe(0.2, [",", "_"])
    precise = 0.55 if "f" in codes else 0.05
    maybe(
        precise, [".0", ".1", ".2", ".3", ".4", ".6", ".8", ".15", ".17", ".20", ".60"]
    )
    maybe(0.8, list(rng.choice([codes] * 12 + [ALL_CODES])))
    return "".join(parts)


def value(case: dict[str, Any]) -> float | int | bool:
    if "f" in case:
        return struct.unpack(">d", bytes.fromhex(case["f"]))[0]
    return int(case["i"]) if "i" in case else case["b"]


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 4000
    rng = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    for _ in range(count):
        case = number(rng)
        codes = (
            FLOAT_CODES
            if "f" in case
            else rng.choice([INT_CODES, INT_CODES, FLOAT_CODES])
        )
        case["s"] = specification(rng, codes)
        try:
            case["r"] = format(value(case), case["s"])
        except (ValueError, OverflowError, MemoryError) as e:
            case["e"], case["x"] = type(e).__name__, str(e)
        print(json.dumps(case, separators=(",", ":")))


if __name__ == "__main__":
    main()
