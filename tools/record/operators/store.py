"""The files: a family's cases beside this one, its results and other versions' differences in autograd/testdata/ops."""

from __future__ import annotations

import importlib
import json
import pathlib
from collections.abc import Iterator
from typing import Any

from kit import Family

Json = Any
HERE = pathlib.Path(__file__).resolve().parent
DATA = HERE.parents[2] / "autograd" / "testdata" / "ops"
MAIN = "2.6"  # the release whose results are stored whole


def families() -> list[Family]:
    names = sorted(
        p.stem for p in (HERE / "cases").glob("*.py") if p.stem != "__init__"
    )
    return [importlib.import_module(f"cases.{name}").FAMILY for name in names]


def version() -> str:
    """The release of the torch at hand, for instance "2.6"."""
    import torch

    return ".".join(torch.__version__.split(".")[:2])


def line(record: Json) -> str:
    return json.dumps(record, sort_keys=True, separators=(",", ":"), allow_nan=False)


def write(path: pathlib.Path, records: list[Json]) -> None:
    path.write_text("".join(line(r) + "\n" for r in records), encoding="ascii")


def read(path: pathlib.Path) -> Iterator[Json]:
    with path.open(encoding="ascii") as lines:
        for text in lines:
            yield json.loads(text)


def family_file(name: str) -> pathlib.Path:
    return DATA / f"{name}.jsonl"


def difference_file(release: str) -> pathlib.Path:
    return DATA / f"diff-{release}.jsonl"


def stored(release: str) -> dict[str, Json]:
    """Case id -> case with the result that a release gives, as the files say."""
    records = {
        r["id"]: r
        for path in sorted(DATA.glob("*.jsonl"))
        if not path.name.startswith("diff-")
        for r in read(path)
    }
    if release == MAIN or not difference_file(release).exists():
        return records
    for change in read(difference_file(release)):
        result = records[change["id"]]["result"]
        for field in change["absent"]:
            del result[field]
        result |= change["changed"]
    return records
