"""From a case's tagged arguments to Python objects."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
import torch.autograd.forward_ad as fwad
import torch.nn.functional

Json = Any
Spec = dict[str, Json]


def resolve(fn: str) -> Callable[..., object]:
    """The callable behind a case's "fn"."""
    head, _, rest = fn.partition(".")
    if head == "prop":
        return lambda self: getattr(self, rest)
    owner: object = {
        "torch": torch,
        "F": torch.nn.functional,
        "Tensor": torch.Tensor,
    }[head]
    for part in rest.split("."):
        owner = getattr(owner, part)
    return owner  # type: ignore[return-value]


def dtype(name: str) -> torch.dtype:
    return getattr(torch, name)


def _floats(raw: list[Json]) -> list[Json]:
    return [float(v) if isinstance(v, str) else v for v in raw]


def make(spec: Spec) -> torch.Tensor:
    """A fresh tensor with the layout a spec describes, no history, no grad flag."""
    kind = dtype(spec["dtype"])
    if "strides" not in spec:
        return (
            torch.tensor(_floats(spec["values"]), dtype=kind)
            .reshape(spec["shape"])
            .detach()
        )
    storage = torch.tensor(_floats(spec["storage_values"]), dtype=kind)
    return storage.as_strided(spec["shape"], spec["strides"], spec["offset"]).detach()


def direction(index: int, like: torch.Tensor) -> torch.Tensor:
    """The fixed weights and tangents of tensor `index`: dyadic, distinct, of both signs."""
    flat = [
        (-1 if (k + index) % 4 == 2 else 1) * ((k * 3 + index * 5) % 8 + 1) / 8
        for k in range(like.numel())
    ]
    return torch.tensor(flat, dtype=like.dtype).reshape(like.shape)


def cotangent(index: int, like: torch.Tensor) -> torch.Tensor:
    """The fixed incoming gradient of result `index`."""
    flat = [
        (-1 if (k + index) % 3 == 1 else 1) * ((k * 5 + index * 3) % 7 + 1) / 4
        for k in range(like.numel())
    ]
    return torch.tensor(flat, dtype=like.dtype).reshape(like.shape)


class Arguments:
    """The arguments of one call.

    tensors: every tensor in the order of the format's numbering (README, "Tensor numbers").
    leaves: number -> the leaf that requires grad (for "leaf": false the one that was
        multiplied by 1).
    """

    def __init__(self, case: dict[str, Json], *, dual: bool = False) -> None:
        self.tensors: list[torch.Tensor] = []
        self.leaves: dict[int, torch.Tensor] = {}
        self._dual = dual
        self.args = [self._build(a) for a in case["args"]]
        raw = case.get("kwargs", {})
        self.kwargs = {k: self._build(raw[k]) for k in sorted(raw)}

    def _build(self, arg: Json) -> object:
        if isinstance(arg, list):
            return [self._build(a) for a in arg]
        if not isinstance(arg, dict):
            return arg
        ((tag, body),) = arg.items()
        return getattr(self, f"_{tag}")(body)

    def _t(self, spec: Spec) -> torch.Tensor:
        leaf = make(spec)
        number = len(self.tensors)
        wanted = spec.get("requires_grad", False)
        if wanted:
            self.leaves[number] = leaf
            if self._dual:
                leaf = fwad.make_dual(leaf, direction(number, leaf))
            else:
                leaf.requires_grad_()
        given = leaf if spec.get("leaf", True) else leaf * 1
        self.tensors.append(given)
        return given

    def _call(self, call: dict[str, Json]) -> torch.Tensor:
        inner = [self._build(a) for a in call["args"]]
        out = resolve(call["fn"])(*inner)
        if "item" in call:
            out = out[call["item"]]  # type: ignore[index]
        assert isinstance(out, torch.Tensor)
        self.tensors.append(out)
        return out

    def _ref(self, number: int) -> torch.Tensor:
        return self.tensors[number]

    def _tuple(self, body: list[Json]) -> tuple[object, ...]:
        return tuple(self._build(a) for a in body)

    def _slice(self, body: list[Json]) -> slice:
        return slice(*(self._build(a) for a in body))

    def _ellipsis(self, _: Json) -> object:
        return Ellipsis

    def _dtype(self, name: str) -> torch.dtype:
        return dtype(name)

    def _f(self, text: str) -> float:
        return math.nan if text == "nan" else math.inf if text == "inf" else -math.inf
