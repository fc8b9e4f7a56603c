"""Writes the autograd graph of living PyTorch tensors as a tape in text form.

What PyTorch shows to Python is all that is used: ``next_functions``, the ``_saved_*`` attributes of built-in nodes,
``saved_tensors`` of custom Functions, ``_base``. So the tape says what torchviz sees.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

import torch

PREFIX = "_saved_"
DTYPES = {
    torch.float32: "float32",
    torch.float64: "float64",
    torch.float16: "float16",
    torch.int64: "int64",
    torch.int32: "int32",
    torch.uint8: "uint8",
    torch.bool: "bool",
}


def attributes(fn: Any) -> Iterator[tuple[str, Any]]:
    """The saved attributes of a built-in node, in the order of dir()."""
    for name in dir(fn):
        if name.startswith(PREFIX):
            yield name[len(PREFIX) :], getattr(fn, name)


def tensors_of(value: Any) -> list[tuple[str, torch.Tensor | None]] | None:
    """The slots of an attribute, with what follows the name; None if it holds no tensor."""
    if torch.is_tensor(value):
        return [("", value)]
    if isinstance(value, tuple) and any(torch.is_tensor(v) for v in value):
        return [(f"[{i}]", v) for i, v in enumerate(value)]
    return None


def scalar(value: Any) -> str:
    """The text form of an attribute that holds no tensor, less its name."""

    def ints(kind: str, values: Any) -> str:
        listed = ",".join(str(v - (1 << 64) if v >= 1 << 63 else v) for v in map(int, values))
        return f"type={kind} ints=[{listed}]" if listed else f"type={kind}"

    if isinstance(value, bool):
        return ints("bool", [value])
    if isinstance(value, int):
        return ints("uint" if value >= 1 << 63 else "int", [value])
    if isinstance(value, float):
        return f"type=float floats=[{value!r}]"
    if isinstance(value, tuple) and all(type(v) is int for v in value):
        return ints("uints" if any(v >= 1 << 63 for v in value) else "ints", value)
    if isinstance(value, tuple) and all(type(v) is float for v in value):
        return f"type=floats floats=[{','.join(map(repr, value))}]"
    return f"type=text text={quote(str(value))}"


def quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


class Snapshot:
    def __init__(self) -> None:
        """Made before the program runs: sequence numbers count from here."""
        newest = torch.ones(1, requires_grad=True).neg().grad_fn
        self.first_sequence: int = newest._sequence_nr() + 1
        self.lines: list[str] = []
        self.tensors: dict[object, int] = {}
        self.nodes: dict[object, int] = {}
        self.storages: dict[int, int] = {}
        self.counters: dict[object, int] = {}
        self.kept: list[object] = []  # so that no id() is used twice

    def emit(self, kind: str, **fields: Any) -> None:
        words = [f"{k.rstrip('_')}={v}" for k, v in fields.items() if v not in (0, "", "[]", None)]
        self.lines.append(" ".join(["+0s", kind, *words]))

    def key(self, tensor: torch.Tensor) -> object:
        """What a tensor is known by. PyTorch makes a new object each time an output of a node is read."""
        self.kept.append(tensor)
        if tensor.grad_fn is not None:
            self.kept.append(tensor.grad_fn)
            return (id(tensor.grad_fn), tensor.output_nr)
        return id(tensor)

    def tensor(self, tensor: torch.Tensor) -> int:
        key = self.key(tensor)
        if key in self.tensors:
            return self.tensors[key]
        node = self.node(tensor.grad_fn) if tensor.grad_fn is not None else 0
        if key in self.tensors:
            return self.tensors[key]  # the node saved it
        base = self.tensor(tensor._base) if tensor._is_view() else 0
        storage = self.storages.setdefault(tensor.untyped_storage().data_ptr() or id(tensor), len(self.storages) + 1)
        counter = self.counters.setdefault(self.key(tensor._base) if base else key, len(self.counters) + 1)
        number = self.tensors[key] = len(self.tensors) + 1
        contiguous = tensor.is_contiguous()
        self.emit(
            "tensor-created",
            tensor=number,
            storage=storage,
            bytes=tensor.untyped_storage().nbytes(),
            counter=counter,
            version=tensor._version,
            dtype=DTYPES[tensor.dtype],
            shape=numbers(tensor.shape),
            strides="" if contiguous else numbers(tensor.stride()),
            offset=tensor.storage_offset(),
            flags="requires_grad" if tensor.requires_grad and tensor.is_leaf else "",
            node=node,
            output=tensor.output_nr if node else 0,
            base=base,
            view="plain" if base else "",
        )
        return number

    def saved(self, fn: Any) -> tuple[list[tuple[str, torch.Tensor | None, str]], list[tuple[str, Any]]]:
        """The slots (name, tensor, flags) and the other attributes of a node."""
        slots: list[tuple[str, torch.Tensor | None, str]] = []
        attrs: list[tuple[str, Any]] = []
        again = dict(attributes(fn))
        for name, value in attributes(fn):
            listed = tensors_of(value)
            if listed is None:
                attrs.append((name, value))
                continue
            for (suffix, t), (_, other) in zip(listed, tensors_of(again[name]) or []):
                slots.append((name + suffix, t, "" if t is other else "output"))
        if hasattr(fn, "saved_tensors"):
            for i, (t, other) in enumerate(zip(fn.saved_tensors, fn.saved_tensors)):
                slots.append((f"saved_tensors[{i}]", t, "" if t is other else "output"))
        return slots, attrs

    def node(self, fn: Any) -> int:
        if id(fn) in self.nodes:
            return self.nodes[id(fn)]
        self.kept.append(fn)
        slots, attrs = self.saved(fn)
        edges = [(self.node(u) if u is not None else 0, nr) for u, nr in fn.next_functions]
        variable = self.tensor(fn.variable) if hasattr(fn, "variable") else 0
        for _, t, flags in slots:
            if t is not None and flags == "":
                self.tensor(t)
        number = self.nodes[id(fn)] = len(self.nodes) + 1
        late = [t for _, t, flags in slots if flags and self.key(t) not in self.tensors]
        listed = []
        for name, t, flags in slots:
            if t is None:
                listed.append(f"(name={quote(name)})")
                continue
            known = self.tensors.get(self.key(t))
            to = known or len(self.tensors) + 1 + [self.key(x) for x in late].index(self.key(t))
            version = f" version={t._version}" if t._version else ""
            listed.append(f"(name={quote(name)} tensor={to}{version}{' flags=' + flags if flags else ''})")
        self.emit(
            "node-created",
            node=number,
            name=quote(type(fn).__name__),
            sequence=(1 << 64) - 1 if variable else fn._sequence_nr() - self.first_sequence,
            outputs=len(fn._input_metadata),
            variable=variable,
            edges=bracketed(edge(*e) for e in edges),
            saved=bracketed(listed),
            attrs=bracketed(f"(name={quote(k)} {scalar(v)})" for k, v in attrs),
        )
        for t in late:
            self.tensor(t)
        return number

    def name(self, name: str, tensor: torch.Tensor) -> None:
        self.emit("name-bound", name=quote(name), tensor=self.tensor(tensor))


def edge(node: int, number: int) -> str:
    fields = [f"{k}={v}" for k, v in (("node", node), ("input", number)) if node and v]
    return f"({' '.join(fields)})"


def numbers(values: Iterable[int]) -> str:
    return bracketed(map(str, values))


def bracketed(items: Iterable[str]) -> str:
    return f"[{','.join(items)}]"
