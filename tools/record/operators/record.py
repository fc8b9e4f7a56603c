"""Runs every case in the torch at hand and writes the results to autograd/testdata/ops.

usage: record.py [--errors] [--summary]

With torch 2.6: one <family>.jsonl a family. With another release: diff-<release>.jsonl, which
holds only what that release does differently.
"""

from __future__ import annotations

import argparse
import collections
import json
import sys
from typing import Any

import settings
import store
from compare import fields

Json = Any


def generate() -> None:
    """Writes <family>.jsonl for every family, and how they were made."""
    import torch

    from evaluate import evaluate

    counts: dict[str, int] = {}
    for family in store.families():
        records = []
        for case in family.cases:
            result = evaluate(case)
            intended(case, result)
            records.append(case | {"result": result})
        store.write(store.family_file(family.name), records)
        counts[family.name] = len(records)
    manifest = {
        "cases": sum(counts.values()),
        "cpu_capability": torch.backends.cpu.get_cpu_capability(),
        "families": counts,
        "threads": torch.get_num_threads(),
        "torch": torch.__version__.partition("+")[0],
    }
    text = json.dumps(manifest, indent=2, sort_keys=True) + "\n"
    (store.DATA / "manifest.json").write_text(text, encoding="ascii")


def intended(case: Json, result: Json) -> None:
    """Says so when a case raises that should not, or the reverse."""
    if ("error" in result) != (case["kind"] == "error"):
        text = result.get("error", {}).get("text", "does not raise")
        print(f"not intended: {case['id']}: {text}", file=sys.stderr)


def differences(release: str) -> None:
    """Writes diff-<release>.jsonl against the stored results."""
    from evaluate import evaluate

    found = []
    for name, case in store.stored(store.MAIN).items():
        changed, absent = fields(case["result"], evaluate(case), exact=False)
        if changed or absent:
            found.append({"absent": absent, "changed": changed, "id": name})
    store.write(store.difference_file(release), found)


def errors() -> None:
    """Prints every case that raises, in any phase."""
    for name, case in store.stored(store.MAIN).items():
        result = case["result"]
        for field in ("error", "backward_error", "grads2", "jvp"):
            value = result.get(field)
            if field in ("grads2", "jvp"):
                value = value.get("error") if isinstance(value, dict) else None
            if value:
                mark = "" if case["kind"] == "error" else "  (!)"
                text = value["text"] if isinstance(value, dict) else value
                print(
                    f"{name}: {field}{mark}: {text.splitlines()[0][:160] if text else ''}"
                )


def operator(case: Json) -> str:
    return case["id"].split("/")[1].split("-")[0]


def summary() -> None:
    """Prints how many cases each operator has, by kind."""
    table: dict[str, dict[str, collections.Counter[str]]] = {}
    for name, case in store.stored(store.MAIN).items():
        rows = table.setdefault(name.split("/")[0], {})
        rows.setdefault(operator(case), collections.Counter())[case["kind"]] += 1
    for family, rows in table.items():
        total = sum(sum(counter.values()) for counter in rows.values())
        print(f"{family}: {total} cases, {len(rows)} operators")
        for op, counter in sorted(rows.items()):
            print(
                f"  {op:28} "
                + " ".join(f"{kind}:{n}" for kind, n in sorted(counter.items()))
            )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--errors", action="store_true", help="list the stored cases that raise"
    )
    parser.add_argument("--summary", action="store_true", help="count the stored cases")
    options = parser.parse_args()
    if options.errors or options.summary:
        errors() if options.errors else summary()
        return 0
    settings.apply()
    release = store.version()
    generate() if release == store.MAIN else differences(release)
    return 0


if __name__ == "__main__":
    sys.exit(main())
