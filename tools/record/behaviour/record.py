"""Runs every case in the torch at hand and writes what it observes.

usage: record.py [--check]

Writes autograd/testdata/behaviour/<module>.jsonl for each module in cases; --check compares with the files instead.
Each case runs with fresh modes: grad mode on, anomaly mode off, seed 0.
"""

from __future__ import annotations

import importlib
import json
import pathlib
import sys
import warnings
from typing import Any

import torch

import kit

HERE = pathlib.Path(__file__).resolve().parent
DATA = HERE.parents[2] / "autograd" / "testdata" / "behaviour"


def run(case: kit.Case) -> dict[str, Any]:
    torch.set_warn_always(True)
    torch.set_grad_enabled(True)
    torch.autograd.set_detect_anomaly(False)
    torch.manual_seed(0)
    record: dict[str, Any] = {}
    with kit.all_warnings() as caught:
        try:
            record["result"] = kit.show(case())
        except Exception as e:
            record["error"] = f"{type(e).__name__}: {e}"
    torch.set_grad_enabled(True)
    torch.autograd.set_detect_anomaly(False)
    texts = [text(w) for w in caught]
    if texts:
        record["warnings"] = texts
    return record


def text(w: warnings.WarningMessage) -> str:
    """A warning without the places in files that it names."""
    message = str(w.message).split(" (Triggered internally")[0]
    return message.split("\n  File ")[0]


def main() -> int:
    wrong = 0
    for path in sorted((HERE / "cases").glob("[a-z]*.py")):
        kit.CASES.clear()
        importlib.import_module(f"cases.{path.stem}")
        lines = [
            json.dumps({"case": name} | run(f)) + "\n" for name, f in kit.CASES.items()
        ]
        file = DATA / f"{path.stem}.jsonl"
        if "--check" not in sys.argv:
            file.write_text("".join(lines), encoding="ascii")
        elif file.read_text(encoding="ascii") != "".join(lines):
            wrong += 1
            print(f"{file.name} differs")
    return wrong


if __name__ == "__main__":
    sys.exit(main())
