"""Runs one case in the torch at hand and writes down everything observable."""

from __future__ import annotations

import contextlib
import re
import warnings
from collections.abc import Iterator
from typing import Any

import torch
import torch.autograd.forward_ad as fwad

import encode
import graph
from args import Arguments, cotangent, direction, resolve

Json = Any
# What operators raise (LinAlgError and NotImplementedError are RuntimeErrors).
RAISED = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RuntimeError,
    TypeError,
    ValueError,
)
FREED = "Trying to backward through the graph a second time"


def clean(text: str) -> str:
    """A message without the parts that depend on how torch was built."""
    text = re.sub(r" ?\(Triggered internally at [^)]*\)\.?", "", text)
    return re.sub(r" at \"?/[^ \"]*\"?:\d+", "", text)


def failure(error: Exception) -> dict[str, str]:
    return {"text": clean(str(error)), "type": type(error).__name__}


@contextlib.contextmanager
def mode(case: dict[str, Json]) -> Iterator[None]:
    with torch.no_grad() if case.get("no_grad") else contextlib.nullcontext():
        yield


def storage_pointer(t: torch.Tensor) -> int:
    if hasattr(t, "untyped_storage"):
        return t.untyped_storage().data_ptr()
    return t.storage().data_ptr()


def state(t: torch.Tensor) -> tuple[int, Json]:
    """What tells that a tensor was written to. Running statistics change unversioned."""
    return t._version, encode.tensor(t)


class Call:
    """One evaluation: arguments, what came back, and which arguments were changed."""

    def __init__(self, case: dict[str, Json], *, dual: bool = False) -> None:
        self.given = Arguments(case, dual=dual)
        before = [state(t) for t in self.given.tensors]
        with mode(case):
            value: Json = resolve(case["fn"])(*self.given.args, **self.given.kwargs)
        self.value = value
        many = isinstance(value, (list, tuple))
        self.items: list[Json] = list(value) if many else [value]
        self.outputs = [o for o in self.items if isinstance(o, torch.Tensor)]
        self.mutated = [
            i
            for i, t in enumerate(self.given.tensors)
            if state(t) != before[i] and not any(t is o for o in self.outputs)
        ]
        self.results = self.outputs + [self.given.tensors[i] for i in self.mutated]

    def differentiable(self) -> list[tuple[int, torch.Tensor]]:
        """Results that require grad, each object once, with their numbers."""
        found: list[tuple[int, torch.Tensor]] = []
        for i, t in enumerate(self.results):
            if t.requires_grad and not any(t is known for _, known in found):
                found.append((i, t))
        return found


def structure(call: Call) -> str:
    value = call.value
    if isinstance(value, torch.Tensor):
        return "tensor"
    if value is None:
        return "none"
    if isinstance(value, torch.Size):
        return "torch.Size"
    if isinstance(value, (tuple, list)):
        if type(value) in (tuple, list):
            return type(value).__name__
        return "namedtuple " + type(value).__module__ + "." + type(value).__qualname__
    return "number" if isinstance(value, (int, float)) else type(value).__name__


def describe(
    t: torch.Tensor, known: list[torch.Tensor], *, with_values: bool
) -> dict[str, Json]:
    """A tensor's state. What has its usual value is left out (README, "Defaults")."""
    out = encode.tensor(t)
    if not with_values:
        del out["values"]
    extras = {
        "is_leaf": t.is_leaf,
        "is_view": t._is_view(),
        "output_nr": t.output_nr,
        "requires_grad": t.requires_grad,
        "storage_offset": t.storage_offset(),
        "version": t._version,
    }
    usual = {"is_leaf": True}
    out.update({k: v for k, v in extras.items() if v != usual.get(k, 0)})
    if t.grad_fn is not None:
        out["grad_fn"] = graph.name(t.grad_fn)
    same = [i for i, k in enumerate(known) if k is t]
    if same:
        out["same_as_arg"] = same[0]
        return out
    pointer = storage_pointer(t)
    shared = [
        i for i, k in enumerate(known) if pointer and storage_pointer(k) == pointer
    ]
    if shared:
        out["shares_memory_with"] = shared[0]
    return out


def forward(case: dict[str, Json], call: Call) -> dict[str, Json]:
    known = call.given.tensors
    with_values = not case.get("no_values", False)
    out: dict[str, Json] = {"structure": structure(call)}
    out["outputs"] = [
        describe(o, known, with_values=with_values)
        if isinstance(o, torch.Tensor)
        else {"value": encode.plain(o)}
        for o in call.items
        if o is not None
    ]
    if call.mutated:
        out["mutated"] = {
            str(i): describe(known[i], known, with_values=with_values)
            for i in call.mutated
        }
    first = next((t for t in call.results if t.grad_fn is not None), None)
    if first is None:
        return out
    out["node"] = graph.node(first, known, call.outputs)
    for record, t in zip(
        [r for r in out["outputs"] if "value" not in r]
        + list(out.get("mutated", {}).values()),
        call.results,
    ):
        if t.grad_fn is not None and t.grad_fn is not first.grad_fn:
            record["graph"] = graph.expression(t)
    return out


def gradients(call: Call) -> dict[str, Json]:
    """First backward, the resulting .grad of every leaf, and a second backward."""
    roots = call.differentiable()
    seeds = [cotangent(i, t) for i, t in roots]
    out: dict[str, Json] = {
        "cotangents": {str(i): encode.values(s) for (i, _), s in zip(roots, seeds)}
    }
    tensors = [t for _, t in roots]
    try:
        torch.autograd.backward(tensors, seeds)
    except RAISED as error:
        return out | {"backward_error": failure(error)}
    out["grads"] = {
        str(i): None if leaf.grad is None else _grad(leaf.grad)
        for i, leaf in call.given.leaves.items()
    }
    try:
        torch.autograd.backward(tensors, seeds)
        out["second_backward_error"] = None
    except RuntimeError as error:
        text = clean(str(error))
        out["second_backward_error"] = "freed" if text.startswith(FREED) else text
    return out


def _grad(grad: torch.Tensor) -> dict[str, Json]:
    out = encode.tensor(grad)
    if grad._version:
        out["version"] = grad._version
    return out


def gradient_graph(
    call: Call, seeds: list[torch.Tensor]
) -> tuple[torch.Tensor | None, ...]:
    """The gradients of the leaves, with a graph of their own."""
    return torch.autograd.grad(
        [t for _, t in call.differentiable()],
        list(call.given.leaves.values()),
        seeds,
        create_graph=True,
        allow_unused=True,
    )


def directions(call: Call) -> dict[str, Json]:
    return {
        str(i): encode.values(direction(i, x)) for i, x in call.given.leaves.items()
    }


def expressions(call: Call, grads: tuple[torch.Tensor | None, ...]) -> dict[str, Json]:
    """Per leaf: its gradient's graph, "" for one without history, None for no gradient."""
    return {
        str(i): None
        if g is None
        else graph.expression(g)
        if g.grad_fn is not None
        else ""
        for i, g in zip(call.given.leaves, grads)
    }


def double_backward(case: dict[str, Json]) -> dict[str, Json]:
    """The gradients' own graph, and the gradients of the gradients."""
    call = Call(case)
    leaves = call.given.leaves
    try:
        grads = gradient_graph(
            call, [cotangent(i, t) for i, t in call.differentiable()]
        )
    except RAISED as error:
        return {"grad_graph": {"error": failure(error)}}
    out: dict[str, Json] = {"grad_graph": expressions(call, grads)}
    if not any(g is not None and g.requires_grad for g in grads):
        return out
    out["directions"] = directions(call)
    try:
        second = torch.autograd.grad(
            _weighted(leaves, grads), list(leaves.values()), allow_unused=True
        )
    except RAISED as error:
        return out | {"grads2": {"error": failure(error)}}
    out["grads2"] = {
        str(i): None if g is None else encode.values(g) for i, g in zip(leaves, second)
    }
    return out


def _weighted(
    leaves: dict[int, torch.Tensor], grads: tuple[torch.Tensor | None, ...]
) -> torch.Tensor:
    """The sum over all gradients of gradient times direction."""
    terms = [
        (g * direction(i, leaves[i])).sum()
        for i, g in zip(leaves, grads)
        if g is not None and g.requires_grad
    ]
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    return total


def through_cotangents(case: dict[str, Json]) -> dict[str, Json]:
    """The same with cotangents that require grad, as in the middle of a longer graph.

    Errors are those that double_backward records.
    """
    call = Call(case)
    roots = call.differentiable()
    seeds = [cotangent(i, t).requires_grad_() for i, t in roots]
    try:
        grads = gradient_graph(call, seeds)
    except RAISED:
        return {}
    if not any(g is not None and g.requires_grad for g in grads):
        return {}
    out: dict[str, Json] = {"grad_graph_cotangents": expressions(call, grads)}
    try:
        back = torch.autograd.grad(
            _weighted(call.given.leaves, grads), seeds, allow_unused=True
        )
    except RAISED:
        return out
    out["directions"] = directions(call)
    out["grads2_cotangents"] = {
        str(i): None if g is None else encode.values(g)
        for (i, _), g in zip(roots, back)
    }
    return out


def forward_mode(case: dict[str, Json], numbers: list[int]) -> dict[str, Json]:
    """Output tangents for the fixed directions."""
    with fwad.dual_level():
        try:
            call = Call(case, dual=True)
            tangents = {i: fwad.unpack_dual(call.results[i]).tangent for i in numbers}
        except RAISED as error:
            return {"jvp": {"error": clean(str(error))}}
        texts = {
            str(i): None if t is None else encode.values(t) for i, t in tangents.items()
        }
        return {"directions": directions(call), "jvp": texts}


def evaluate(case: dict[str, Json]) -> dict[str, Json]:
    """The "result" of a case."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            call = Call(case)
            error = None
        except RAISED as raised:
            error = failure(raised)
        texts = [clean(str(w.message)) for w in caught]
    noted: dict[str, Json] = {"warnings": texts} if texts else {}
    if error:
        return {"error": error} | noted
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        out = forward(case, call) | noted
        numbers = [i for i, _ in call.differentiable()]
        if not numbers or not call.given.leaves or case.get("no_grad"):
            return out
        out |= gradients(call)
        if "backward_error" in out:
            return out
        out |= double_backward(case)
        out |= through_cotangents(case)
        out |= forward_mode(case, numbers)
    return out
