"""Where two results differ. Numbers may differ in their last bits unless told otherwise."""

from __future__ import annotations

import math
from typing import Any

Json = Any
# Room for another compiler's exp, another BLAS, another order of summation.
RELATIVE = {"float32": 2e-5, "float64": 1e-9, "float16": 2e-3, "bfloat16": 2e-2}
SMALL = {"float32": 1e-6, "float64": 1e-13, "float16": 1e-4, "bfloat16": 1e-3}


def same(a: Json, b: Json, *, exact: bool, dtype: str = "float32") -> bool:
    """Whether two pieces of JSON agree."""
    if isinstance(a, dict) and isinstance(b, dict):
        kind = a.get("dtype", dtype)
        kind = kind if isinstance(kind, str) else dtype
        return a.keys() == b.keys() and all(
            same(a[key], b[key], exact=exact, dtype=kind) for key in a
        )
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(
            same(p, q, exact=exact, dtype=dtype) for p, q in zip(a, b)
        )
    if isinstance(a, float) and isinstance(b, float) and not exact:
        return math.isclose(
            a, b, rel_tol=RELATIVE.get(dtype, 2e-5), abs_tol=SMALL.get(dtype, 1e-6)
        )
    return type(a) is type(b) and a == b and (a != 0 or str(a) == str(b))


def fields(old: Json, new: Json, *, exact: bool) -> tuple[dict[str, Json], list[str]]:
    """The top-level fields of the new result that differ, and those it lacks."""
    changed = {
        key: new[key]
        for key in new
        if key not in old or not same(old[key], new[key], exact=exact)
    }
    return changed, sorted(key for key in old if key not in new)
