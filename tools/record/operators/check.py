"""Runs every case in the torch at hand and reports what differs from the stored results.

usage: check.py [--exact] [--verbose]

Exit code 1 if anything differs. Without --exact the last bits of floating-point numbers are
free, so that any build of the same release passes; --exact holds for the build that wrote
the files.
"""

from __future__ import annotations

import argparse
import sys

import settings
import store
from compare import fields
from evaluate import evaluate


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--exact", action="store_true", help="compare every bit")
    parser.add_argument("--verbose", action="store_true", help="print both values")
    options = parser.parse_args()
    settings.apply()
    bad = 0
    expected = store.stored(store.version())
    for name, case in expected.items():
        result = evaluate(case)
        changed, absent = fields(case["result"], result, exact=options.exact)
        if not changed and not absent:
            continue
        bad += 1
        print(f"{name}: {', '.join([*changed, *(f'no {a}' for a in absent)])}")
        if options.verbose:
            for key in [*changed, *absent]:
                print(f"  stored {key}: {store.line(case['result'].get(key))}")
                print(f"  now    {key}: {store.line(result.get(key))}")
    print(f"{len(expected)} cases, {bad} differ")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
