"""Record what PyTorch's CPU generator draws, for the tests of autograd/random.

Usage: ATEN_CPU_CAPABILITY=avx2 LD_PRELOAD=./rounding.so python3 record.py [FOLDER]
(rounding.c says how to make rounding.so)

Writes values.json, sizes.json, programs.json and errors.json to FOLDER (default:
autograd/random/testdata); calls.py says what they hold. rng.json is older. Made
with PyTorch 2.6.0 on x86-64, glibc 2.41, built without MKL. The output is a
function of the PyTorch build: nothing is random.
"""

from __future__ import annotations

import json
import math
import random
import sys
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from calls import (
    DTYPES,
    FLOATS,
    MAKERS,
    NUMBERS,
    Call,
    Target,
    call,
    contiguous,
    differences,
    digest,
    every_second,
    normal_difference,
    permuted,
    raw,
    record,
    round_correctly,
    run,
    state,
    transposed,
)

SEEDS = (0, 1, 42, -1, -(2**63), 2**32 + 5, 2**64 - 2**33 + 987654321)


def samplers(n: int) -> Iterable[Call]:
    """Every sampler with every element type, filling n elements."""
    for d in FLOATS:
        yield call("uniform", d, n, from_=0.0, to=1.0)
        yield call("uniform", d, n, from_=-0.5, to=0.7)
        yield call("normal", d, n, mean=0.0, std=1.0)
        yield call("normal", d, n, mean=0.3, std=1.7)
        yield call("dropout", d, n, p=0.3)
        yield call("exponential", d, n, rate=1.7)
        yield call("cauchy", d, n, median=0.3, sigma=1.7)
        yield call("log normal", d, n, mean=0.3, std=0.7)
    for d in NUMBERS:
        yield call("randint", d, n, from_=-5, to=10)
        yield call("randint", d, n, from_=-(2**20), to=2**24)
        yield call("randint", d, n, from_=-(2**40) - 1, to=2**61 + 12345)
        yield call("random", d, n)
        yield call("randperm", d, n)
        yield call("geometric", d, n, p=0.137)
        yield call("bernoulli", d, n, p=0.3)
        for p in FLOATS:
            yield call("bernoulli each", d, n, ptype=p)
    yield call("bernoulli", "bool", n, p=0.3)
    yield call("bernoulli each", "bool", n, ptype="float32")


def single_values() -> Iterable[dict[str, Any]]:
    """Few sizes and unusual arguments, with values spelled out."""
    for n in (1, 2, 15, 16, 17, 33):
        yield from (single(-7, c) for c in samplers(n))
    yield from (single(3, c) for c in arguments())


def single(seed: int, c: Call) -> dict[str, Any]:
    return program(seed, [(c, contiguous)])


def program(seed: int, calls: list[tuple[Call, Target]]) -> dict[str, Any]:
    """Calls on one generator, their results and the state that they leave."""
    correct, correct_state = draw(seed, calls, correctly=True)
    results, left = draw(seed, calls, correctly=False)
    for (c, _), r, e in zip(calls, results, correct, strict=True):
        record(c, r, e)
    entry = {"seed": seed, "calls": [c for c, _ in calls], "state": digest(left)}
    if d := normal_difference(left, correct_state):
        entry["stateoff"] = d
    return entry


def draw(seed: int, calls: list[tuple[Call, Target]], *, correctly: bool) -> tuple[list[Tensor], bytes]:
    round_correctly(correctly)
    torch.manual_seed(seed)
    results = [run(c, target).clone() for c, target in calls]
    return results, state()


def arguments() -> Iterable[Call]:
    cases: list[Call] = []
    for d in FLOATS:
        cases += [
            call("uniform", d, 9, from_=a, to=b)
            for a, b in ((2.0, 2.0), (-1e30, 1e30), (1.0, 1.0000001), (-1e-42, 1e-41), (0.1, 0.2))
        ]
        for n in (9, 40):
            cases += [
                call("normal", d, n, mean=m, std=s)
                for m, s in (
                    (0.0, 0.0),
                    (1e10, 1.0),
                    (-3.0, 1e-40),
                    (0.0, 1e-44),
                    (0.0, math.inf),
                    (math.nan, 1.0),
                    (0.0, 1e38),
                )
            ]
        cases += [call("dropout", d, 20, p=p) for p in (0.0, 0.1, 0.2, 0.5, 0.7, 0.9, 0.999, 1.0)]
        cases += [call("exponential", d, 20, rate=r) for r in (1.0, 1e-3, 1e39, math.inf)]
        cases += [call("log normal", d, 20, mean=m, std=s) for m, s in ((0.0, 1.0), (0.0, 30.0), (-80.0, 20.0))]
        cases += [call("cauchy", d, 20, median=0.0, sigma=1.0)]
        cases += [call("linear", d, i * o + o, in_=i, out=o) for i, o in ((1, 1), (3, 2), (10, 3), (784, 1))]
    for d in NUMBERS:
        cases += [call("bernoulli", d, 9, p=p) for p in (0.0, 0.5, 1.0)]
        cases += [call("geometric", d, 9, p=p) for p in (1e-300, 1e-9, 0.5, 0.9999999)]
        bounds = [
            (0, 2),
            (0, 1),
            (-(2**31), 2**31 - 1),
            (0, 2**32 - 1),
            (0, 2**32),
            (-(2**63), 2**63 - 1),
            (2**24 - 1, 2**24 + 3),
        ]
        bounds += [
            (2**24 + 1, 2**24 + 2),
            (2**53 - 1, 2**53 + 7),
            (-(2**53) - 9, -(2**53) - 1),
            (2**60, 2**60 + 5),
            (2**62, 2**63 - 1),
            (-(2**25) - 1, -(2**25) + 5),
        ]
        for a, b in bounds:
            if d == "int64" or torch.tensor([a, b], dtype=DTYPES[d]).diff() > 0:
                cases.append(call("randint", d, 9, from_=a, to=b))
    cases += list(multinomials())
    for d in FLOATS:
        for length in (5, 20, 100, 1000):
            for modulus in (1, 2, 3, 10, 1009):
                for n in sorted({2, 3, length // 64 + 1, length // 3, length - 1, length} - {0, 1}):
                    cases.append(call("topk", d, n, length=length, modulus=modulus, step=7))
        cases += [call("topk", d, n, length=256, modulus=0, step=0) for n in (2, 100, 128, 200, 255)]
    return cases


def multinomials() -> Iterable[Call]:
    def case(dtype: str, w: list[float], rows: int, samples: int, replacement: bool) -> Call:
        n = max(rows, 1) * samples
        return call(
            "multinomial", dtype, n, weights=[f"{v:g}" for v in w], rows=rows, samples=samples, replacement=replacement
        )

    for d in FLOATS:
        ramp = [((29 * i + 3) % 53) / 8 for i in range(60)]
        for samples in (1, 2, 7, 20):
            for replacement in (False, True):
                yield case(d, ramp, 0, samples, replacement)
                yield case(d, ramp, 3, samples, replacement)
        yield case(d, ramp, 0, 60, False)
        yield case(d, [1.0], 0, 1, False)
        yield case(d, [1.0], 0, 5, True)
        yield case(d, [1e-30, 1e30, 1e-30], 0, 3, False)
        # Equal values, whose order topk leaves to its algorithm.
        for n in (3, 13, 39, 130, 300):
            sparse = [1.0 + i if i % 7 == 3 or n == 3 and i == 1 else 0.0 for i in range(n)]
            for samples in sorted({2, 3, n // 64 + 1, n // 3, n // 2, n - 1, n} - {0, 1}):
                yield case(d, sparse, 0, samples, False)


def sizes() -> Iterable[dict[str, Any]]:
    """Every sampler for all sizes from 1 to 70, a few large ones, and targets that
    are not contiguous, which have no samplers that make their own target."""
    for seed in SEEDS:
        yield from columns(seed, range(1, 71))
    for n in (1000, 4097, 65536, 200003):
        yield from columns(n, range(n, n + 1))
    for seed in (0, 2**33 + 1):
        for target in (every_second, transposed, permuted):
            yield from columns(seed, range(12, 49, 4), target)


def takes(target: Target, c: Call) -> bool:
    """Whether the call can fill the target; probabilities() has no permuted form."""
    return target is contiguous or c["op"] not in (*MAKERS, *(["bernoulli each"] if target is permuted else []))


def columns(seed: int, lengths: range, target: Target = contiguous) -> Iterable[dict[str, Any]]:
    """One hash for each sampler: of the elements and the state for every length.

    The entries of "off" have the length in front; the index of the cached normal
    value in the state is -1.
    """
    for column in zip(*([c for c in samplers(n) if takes(target, c)] for n in lengths), strict=True):
        hashed = b""
        off = []
        for c in column:
            (correct,), correct_state = draw(seed, [(c, target)], correctly=True)
            (result,), left = draw(seed, [(c, target)], correctly=False)
            hashed += raw(result) + left
            off += [[c["n"], *o] for o in differences(result, correct)]
            if d := normal_difference(left, correct_state):
                off.append([c["n"], -1, d])
        first = {k: v for k, v in column[0].items() if k != "n"}
        steps = [lengths.start, lengths[-1], lengths.step]
        entry = {"seed": seed, "lengths": steps, "call": first, "hash": digest(hashed)}
        if off:
            entry["off"] = off
        yield entry


def programs() -> Iterable[dict[str, Any]]:
    """Sequences of calls on one generator, which share words and the cached normal."""
    pick = random.Random(2)
    for i in range(60):
        seed = SEEDS[i % len(SEEDS)] ^ i if i % len(SEEDS) < 3 else SEEDS[i % len(SEEDS)]
        calls = []
        for _ in range(12):
            n = pick.choice((1, 1, 2, 3, 7, 15, 16, 17, 31, 40, 300))
            options = list(samplers(n))
            normals = [c for c in options if "normal" in c["op"]]
            c = pick.choice(normals if pick.random() < 0.6 else options)
            target = every_second if n > 1 and pick.random() < 0.2 and c["op"] not in MAKERS else contiguous
            calls.append((c, target))
        yield program(seed, calls)


def errors() -> Iterable[dict[str, Any]]:
    """Calls that raise: the message, and the state they leave."""
    inf, nan = math.inf, math.nan
    round_correctly(False)
    cases: list[Call] = []
    for d in FLOATS:
        pairs = [
            (1.0, 0.0),
            (0.0, inf),
            (-1e39, 0.0),
            (-3e38, 3e38),
            (-1e308, 1.7e308),
            (nan, 1.0),
            (0.0, nan),
            (1234567.891, 1e-7),
            (1e100, 1e5),
        ]
        cases += [call("uniform", d, 3, from_=a, to=b) for a, b in pairs]
        cases += [call("normal", d, n, mean=0.0, std=s) for s in (-1.0, nan, -inf, -0.123456789) for n in (0, 3, 40)]
        cases += [call("exponential", d, 3, rate=r) for r in (0.0, -1.0, nan)]
        cases += [call("cauchy", d, 3, median=0.0, sigma=s) for s in (0.0, -1.0, nan)]
        cases += [call("log normal", d, 3, mean=0.0, std=s) for s in (0.0, -2.0, nan)]
        cases += [call("dropout", d, 3, p=p) for p in (1.5, -0.5, nan)]
        cases += [
            call("bernoulli each", d, 3, ptype=p, p=["0.5", v, "0.5"]) for p in FLOATS for v in ("1.5", "-0.5", "nan")
        ]
        for w, rows, samples, replacement in (
            ([0.0, 0.0], 0, 1, False),
            ([0.0, 0.0], 0, 1, True),
            ([0.0, 0.0], 0, 2, True),
            ([1.0, -1.0], 0, 1, False),
            ([1.0, -1.0], 0, 2, True),
            ([1.0, inf], 0, 1, False),
            ([1.0, nan], 0, 2, True),
            ([1.0, nan], 0, 2, False),
            ([1.0, inf], 0, 2, True),
            ([1.0, 1.0], 0, 3, False),
            ([1.0, 1.0], 0, 0, False),
            ([1.0, 1.0], 0, -1, True),
            ([], 0, 1, False),
            ([], 0, 1, True),
            ([], 0, 2, True),
            ([1.0, 1.0, 0.0, 0.0], 2, 1, False),
            ([1.0, 1.0, 0.0, 0.0], 2, 2, True),
            ([1.0, 1.0, 1.0, inf], 2, 2, True),
        ):
            ws = [f"{v:g}" for v in w]
            cases.append(
                call(
                    "multinomial",
                    d,
                    max(rows, 1) * max(samples, 0),
                    weights=ws,
                    rows=rows,
                    samples=samples,
                    replacement=replacement,
                )
            )
    for d in NUMBERS:
        cases += [call("geometric", d, 3, p=p) for p in (0.0, 1.0, nan, 1e6)]
        cases += [call("bernoulli", d, 3, p=p) for p in (1.5, -0.1, nan)]
        cases += [
            call("randint", d, 3, from_=a, to=b)
            for a, b in ((5, 5), (3, 1), (2**60 + 1, 2**60 + 2), (2**63 - 2, 2**63 - 1))
        ]
    for c in cases:
        torch.manual_seed(0)
        try:
            run(c)
        except (RuntimeError, ValueError, IndexError) as e:
            yield {"call": c, "error": str(e).split("\nException raised")[0], "state": digest(state())}


def write(path: Path, cases: Iterable[dict[str, Any]]) -> None:
    lines = [json.dumps(c, separators=(",", ":")) for c in cases]
    path.write_text("[\n" + ",\n".join(lines) + "\n]\n")


def main() -> None:
    warnings.simplefilter("ignore")
    assert torch.__version__.startswith("2.6."), torch.__version__
    print(torch.__version__, torch.backends.cpu.get_cpu_capability())
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[3] / "autograd" / "random" / "testdata"
    write(folder / "values.json", single_values())
    write(folder / "sizes.json", sizes())
    write(folder / "programs.json", programs())
    write(folder / "errors.json", errors())


if __name__ == "__main__":
    main()
