"""What torch's graph looks like after each expression of operators.txt.

    python3 tools/record/conformance/operators.py > autograd/testdata/conformance/operators-1.13.txt   with torch 1.13

A line is the label of the expression; the class of grad_fn; V for a view; the next functions, with Acc for
AccumulateGrad and - for None; what the node saved, T for a tensor; !2 if a second backward raises because
saved tensors were freed. A number with a dagger is what the unsigned number means as a signed one.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parents[3] / "autograd" / "testdata" / "conformance"
PRELUDE = (DATA / "prelude.txt").read_text()
"""What the expressions refer to; trees.py stores it for other interpreters."""

LABEL = 26
"""Width of the labels in operators.txt."""


def cases() -> Iterator[tuple[str, str]]:
    """Labels and expressions; a heading comes as a label without one."""
    for line in (DATA / "operators.txt").read_text().splitlines():
        if line.startswith("---"):
            yield line, ""
        else:
            yield line[:LABEL].rstrip(), line[LABEL:].strip()


def main() -> None:
    import warnings

    import torch
    from torch import nn

    warnings.simplefilter("ignore")
    names: dict[str, Any] = {"torch": torch, "nn": nn, "F": nn.functional}
    torch.manual_seed(0)
    exec(PRELUDE, names)

    def detailed(value: Any) -> str:
        if isinstance(value, torch.Tensor):
            history = type(value.grad_fn).__name__ if value.grad_fn is not None else "leaf" if value.requires_grad else "const"
            return f"T{tuple(value.shape)}:{str(value.dtype)[6:]}:{history}"
        if isinstance(value, (tuple, list)):
            return "(" + ", ".join(map(detailed, value)) + ")"
        if type(value) is int and value >= 2**63:
            return f"{value - 2**64}†"
        return "2^63-1" if type(value) is int and value == 2**63 - 1 else repr(value)

    def saved(node: Any) -> str:
        slots = {name[7:]: getattr(node, name) for name in dir(node) if name.startswith("_saved_")}
        return " ".join(f"{k}={'T' if isinstance(v, torch.Tensor) else detailed(v)}" for k, v in slots.items())

    def freed(result: Any) -> bool:
        grad = torch.ones_like(result)
        try:
            result.backward(grad)
        except RuntimeError:
            return False
        try:
            result.backward(grad)
        except RuntimeError as error:
            return "second time" in str(error)
        return False

    def lines(label: str, expression: str) -> Iterator[str]:
        try:
            value = eval(expression, names)
        except Exception as error:
            yield f"? {label:40} !! {type(error).__name__}: {error}"
            return
        results = [r for r in (value if isinstance(value, (tuple, list)) else [value]) if isinstance(r, torch.Tensor)]
        for i, result in enumerate(results[:3]):
            node = result.grad_fn
            name = f"{label} [out{i}]" if len(results) > 1 or node is None else label
            if node is None:
                yield f"{name:26} {'(no grad_fn)':34}   ()  requires_grad={result.requires_grad} {result.dtype}"
                continue
            targets = ["-" if f is None else type(f).__name__.replace("AccumulateGrad", "Acc") for f, _ in node.next_functions]
            first = results[0].grad_fn
            what = saved(node) if i == 0 else f"(same node, output_nr {result.output_nr})" if node is first else "(another node)"
            yield (
                f"{name:26} {type(node).__name__:34}{' V' if result._is_view() else '  '} ({', '.join(targets)})  {what}"
                + ("  !2" if i == 0 and freed(result) else "")
            )

    for label, expression in cases():
        if expression:
            print("\n".join(lines(label, expression)))
        else:
            print("\n" + label)


if __name__ == "__main__":
    main()
