#!/usr/bin/env python3
"""Measures how silent `gradtui check` is on correct programs that use packages of PyPI.

    bench/libraries/run.py                   all programs, then results.md
    bench/libraries/run.py gan peft_lora     the programs whose names contain one of the words
    bench/libraries/run.py --table           results.md alone, after judgements.json was edited

The programs run in a virtual environment with the packages of
requirements.txt, which is made if it is missing. What was found is kept in results.json,
what was judged by hand in judgements.json; results.md is written from both.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
RESULTS, JUDGEMENTS, TABLE = HERE / "results.json", HERE / "judgements.json", HERE / "results.md"
OFFLINE = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "CUDA_VISIBLE_DEVICES": "", "OMP_NUM_THREADS": "1"}


def main() -> None:
    arguments = parse()
    if not arguments.table:
        measure(arguments)
    TABLE.write_text(table(load(RESULTS), load(JUDGEMENTS)))


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", help="run the programs whose names contain one of these")
    parser.add_argument("--table", action="store_true", help="only write results.md from what is kept")
    parser.add_argument("--missing", action="store_true", help="run only programs that have no result yet")
    parser.add_argument("--gradtui", help="the command to measure (default: the one of this source tree)")
    parser.add_argument("--venv", type=Path, default=ROOT / "build/libraries-venv", help="the virtual environment")
    parser.add_argument("--jobs", type=int, default=1, help="programs at a time (default: 1)")
    parser.add_argument("--limit", type=float, default=300, help="seconds for each program (default: 300)")
    return parser.parse_args()


def load(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text()) if path.exists() else {}


def measure(arguments: argparse.Namespace) -> None:
    python = environment(arguments.venv)
    command = arguments.gradtui or build()
    installed = versions(python)
    programs = [p for p in sorted((HERE / "programs").glob("*.py")) if wanted(p.stem, arguments)]
    with ThreadPoolExecutor(arguments.jobs) as jobs:
        for program, result in zip(programs, jobs.map(lambda p: check(command, python, p, arguments.limit), programs)):
            result["packages"] = [f"{p} {installed.get(p, '?')}" for p in packages(program)]
            keep(program.stem, result)
            found = [f"{f['code']}:{f['line']}" for f in result["findings"]]
            print(program.stem, result["exit"], result["seconds"], *found, flush=True)


def wanted(name: str, arguments: argparse.Namespace) -> bool:
    if arguments.missing and name in load(RESULTS):
        return False
    return not arguments.words or any(word in name for word in arguments.words)


def keep(name: str, result: dict[str, Any]) -> None:
    """Adds a result to the kept ones, and forgets programs that no longer exist."""
    results = {**load(RESULTS), name: result}
    kept = {n: results[n] for n in sorted(results) if (HERE / "programs" / f"{n}.py").exists()}
    RESULTS.write_text(json.dumps(kept, indent=1) + "\n")


def environment(folder: Path) -> Path:
    """Returns the Python of the virtual environment, which is made if it is missing."""
    python = folder / "bin/python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", "-r", str(HERE / "requirements.txt")], check=True)
    return python


def build() -> str:
    command = ROOT / "build/gradtui"
    subprocess.run(["go", "build", "-o", str(command), "./cmd/gradtui"], cwd=ROOT, check=True)
    return str(command)


def versions(python: Path) -> dict[str, str]:
    listed = subprocess.run(
        [str(python), "-m", "pip", "list", "--format", "json"], check=True, stdout=subprocess.PIPE, text=True
    )
    return {p["name"].lower().replace("_", "-"): p["version"] for p in json.loads(listed.stdout)}


def packages(program: Path) -> list[str]:
    """Returns the packages that a program's docstring names."""
    named = re.search(r"^packages: (.*)$", program.read_text(), re.MULTILINE)
    return named.group(1).split(", ") if named else []


def check(command: str, python: Path, program: Path, limit: float) -> dict[str, Any]:
    line = [command, "check", "--format", "json", "--hints", "--engine", "torch", "--python", str(python), program.name]
    began = time.monotonic()
    try:
        done = subprocess.run(
            line, cwd=program.parent, env={**os.environ, **OFFLINE}, timeout=limit, capture_output=True
        )
    except subprocess.TimeoutExpired:
        return {"exit": "time limit", "seconds": round(limit), "findings": []}
    result = {"exit": done.returncode, "seconds": round(time.monotonic() - began), "findings": []}
    try:
        report = json.loads(done.stdout)
    except ValueError:
        return {**result, "failure": done.stderr.decode(errors="replace")[-500:]}
    result["findings"] = [finding(f) for f in report["findings"]]
    if report["program"].get("failure"):
        result["failure"] = report["program"]["failure"]
    return result


def finding(found: dict[str, Any]) -> dict[str, Any]:
    """Returns what is kept of a finding, with the place in its shortest form."""
    place = found.get("location") or found.get("primary") or {}
    file = str(place.get("file", ""))
    file = file.rpartition("site-packages/")[2] if "site-packages/" in file else Path(file).name
    return {
        "code": found["code"],
        "severity": found["severity"],
        "file": file,
        "line": place.get("line", 0),
        "count": found.get("count", 1),
        "message": found["message"],
    }


def table(results: dict[str, Any], judgements: dict[str, Any]) -> str:
    """Returns results.md: a row for each program, then one for each finding with its judgement."""
    findings = [(name, f) for name, r in results.items() for f in r["findings"]]
    judged = [(name, f, judgements.get(key(name, f), {})) for name, f in findings]
    false = [entry for entry in judged if entry[2].get("true") is False]
    failed = [name for name, r in results.items() if r["exit"] not in (0, 1)]
    silent = sum(not r["findings"] for r in results.values())
    lines = [
        "# Results",
        "",
        "Written by `run.py` from results.json and judgements.json.",
        "",
        f"{len(results)} programs; {silent} without a finding; {len(findings)} findings, of which {len(false)} are false "
        f"({sum(f['severity'] != 'hint' for _, f, _ in false)} warnings or errors); {len(failed)} did not run to their end.",
        "",
        "| program | packages | exit | seconds | findings |",
        "| --- | --- | --- | --- | --- |",
    ]
    for name, r in results.items():
        found = "; ".join(f"{f['severity']} {f['code']} {place(name, f)}" for f in r["findings"])
        lines.append(f"| {name} | {', '.join(r['packages'])} | {r['exit']} | {r['seconds']} | {found} |")
    lines += ["", "## Findings", "", "| program | place | finding | judgement |", "| --- | --- | --- | --- |"]
    for name, f, judgement in judged:
        verdict = {True: "true", False: "**false**"}.get(judgement.get("true"), "?")  # type: ignore[arg-type]
        why = judgement.get("why", "not judged yet")
        message = f["message"].replace("|", "\\|")
        lines.append(f"| {name} | {place(name, f)} | {f['severity']} {f['code']}: {message} | {verdict}: {why} |")
    return "\n".join(lines) + "\n"


def place(program: str, found: dict[str, Any]) -> str:
    return f"line {found['line']}" if found["file"] == f"{program}.py" else f"{found['file']}:{found['line']}"


def key(program: str, found: dict[str, Any]) -> str:
    """Returns the name of a finding in judgements.json."""
    return f"{program} {found['code']} {place(program, found)}"


if __name__ == "__main__":
    main()
