"""Store the syntax tree of every snippet of the conformance data in trees.json.

    python3 tools/record/conformance/trees.py

The tests run the trees. A node is an object whose key "_" is the name of its class in Python's ast, the other
keys are its fields; fields that are empty are left out.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from typing import Any

import operators

LEFT_OUT = {"ctx", "kind", "type_comment", "type_ignores", "type_params", "simple"}


def tree(node: Any) -> Any:
    if isinstance(node, ast.Constant) and node.value is ...:
        return {"_": "Ellipsis"}
    if isinstance(node, ast.AST):
        fields = {k: tree(v) for k, v in ast.iter_fields(node) if k not in LEFT_OUT}
        return {"_": type(node).__name__} | {k: v for k, v in fields.items() if v is not None and v != []}
    if isinstance(node, list):
        return [tree(n) for n in node]
    return node


def snippets() -> Iterator[str]:
    for case in json.loads((operators.DATA / "errors.json").read_text()):
        yield case["code"]
    yield operators.PRELUDE
    for _, expression in operators.cases():
        if expression:
            yield expression
    for vector in json.loads((operators.DATA / "../../internal/repr/testdata/repr.json").read_text()):
        yield vector["expr"]
    for vector in json.loads((operators.DATA / "../../random/testdata/rng.json").read_text())["vectors"]:
        yield vector["expr"]


def main() -> None:
    lines = []
    for source in dict.fromkeys(snippets()):
        body = tree(ast.parse(source))["body"]
        lines.append(f"{json.dumps(source, ensure_ascii=False)}: {json.dumps(body, ensure_ascii=False, separators=(',', ':'))}")
    (operators.DATA / "trees.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
