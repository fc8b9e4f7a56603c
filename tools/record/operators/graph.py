"""The autograd graph as text and as data."""

from __future__ import annotations

from typing import Any

import torch

import encode

Json = Any
LEAF = "AccumulateGrad"


def name(node: Any) -> str:
    return type(node).__name__


def expression(root: torch.Tensor) -> str:
    """The graph behind a tensor, for instance MulBackward0(AccumulateGrad, None).

    A node that is reached twice is written once as #1=Name(...) and then as #1; an edge
    into an output other than the first ends in :number.
    """
    visits: dict[int, int] = {}
    keep: list[Any] = []  # a wrapper that dies may hand its identity to another node
    _count(root.grad_fn, visits, keep)
    return _edge(root.grad_fn, root.output_nr, visits, {})


def _count(node: Any, visits: dict[int, int], keep: list[Any]) -> None:
    if node is None:
        return
    keep.append(node)
    visits[id(node)] = visits.get(id(node), 0) + 1
    if visits[id(node)] == 1:
        for child, _ in node.next_functions:
            _count(child, visits, keep)


def _edge(
    node: Any, output: int, visits: dict[int, int], labels: dict[int, int]
) -> str:
    if node is None:
        return "None"
    suffix = f":{output}" if output else ""
    if id(node) in labels:
        return f"#{labels[id(node)]}{suffix}"
    text = name(node)
    if visits[id(node)] > 1 and text != LEAF:
        labels[id(node)] = len(labels) + 1
        text = f"#{labels[id(node)]}={text}"
    if node.next_functions:
        text += (
            "("
            + ", ".join(_edge(c, n, visits, labels) for c, n in node.next_functions)
            + ")"
        )
    return text + suffix


def same_place(a: torch.Tensor, b: torch.Tensor) -> bool:
    """Whether two tensors show the same elements of the same memory."""
    return (
        a.numel() > 0
        and a.data_ptr() == b.data_ptr()
        and a.dtype == b.dtype
        and a.shape == b.shape
        and a.stride() == b.stride()
    )


def _saved(
    value: object, args: list[torch.Tensor], outputs: list[torch.Tensor]
) -> Json:
    if isinstance(value, torch.Tensor):
        for kind, known in (("arg", args), ("output", outputs)):
            for i, t in enumerate(known):
                if same_place(value, t):
                    return {kind: i}
        return {"t": encode.tensor(value)}
    if isinstance(value, (list, tuple)):
        return [_saved(v, args, outputs) for v in value]
    return encode.plain(value)


def saved(
    node: Any, args: list[torch.Tensor], outputs: list[torch.Tensor]
) -> dict[str, Json]:
    """Every _saved_ attribute; a tensor that is an argument or a result is named, not copied."""
    found: dict[str, Json] = {}
    for attribute in dir(node):
        if not attribute.startswith("_saved_"):
            continue
        try:
            found[attribute[7:]] = _saved(getattr(node, attribute), args, outputs)
        except RuntimeError as error:
            found[attribute[7:]] = {"error": str(error)}
    return found


def node(
    t: torch.Tensor, args: list[torch.Tensor], outputs: list[torch.Tensor]
) -> dict[str, Json]:
    """The grad_fn of a tensor: class name, edges, saved attributes, the whole graph."""
    fn = t.grad_fn
    edges = [None if c is None else [name(c), n] for c, n in fn.next_functions]
    return {
        "graph": expression(t),
        "name": name(fn),
        "next": edges,
        "saved": saved(fn, args, outputs),
    }
