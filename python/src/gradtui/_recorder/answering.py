"""What answers to the debugger need of PyTorch.

An expression must not change the program, so a mode below autograd looks at each operation of
PyTorch: those that write to memory which the expression has not made itself are refused.
"""

from __future__ import annotations

from _thread import get_ident
from contextlib import contextmanager

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from .._agent import aside, asking
from .._agent.imports import standard
from . import ops, tensors, values, wire
from ._protocol import ANSWER_CHANGED, ANSWER_DROPPED, ANSWER_OTHER_PART, ATTENTION_CANCEL, MOST_ELEMENTS

TYPE_CHECKING = False  # typing is not imported for it
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

_FRESH = frozenset(("lift", "lift_fresh"))  # return what they are given, which is new
_RUNNING_MEAN, _TRAINING = 3, 5  # arguments of batch_norm
_guards: list[_Guard] = []


def respond(question: str) -> str:
    """Answers a question."""
    if '"elements"' in question:
        json = standard("json")
        asked = json.loads(question)
        if asked["kind"] == "elements":
            why = _elements(asked["tensor"], asked.get("version", 0), asked.get("part", ()))
            return str(json.dumps({"error": why} if why else {}))
    asking.tensor = tensors.Tensor
    asking.number = _number
    asking.cancelled = _cancelled
    asking.apart = _apart
    aside.older = _older
    return asking.answer(question)


def _elements(n: int, version: int, part: Sequence[int]) -> str:
    """Reports what tensor n holds, or a part of it, if it still has a version; otherwise says why not."""
    t = next((r() for r in list(tensors.refs.values()) if r.n == n), None)
    r = None if t is None else tensors.known(t)
    if t is None or r is None:
        return ANSWER_DROPPED
    ident = get_ident()
    ops.pause(ident, 1)
    try:
        with torch.no_grad(), ops.undisturbed():
            if tensors.version_of(t) != version or r.counter[0] != version:
                return ANSWER_CHANGED
            if values.watched():
                return "a TorchDispatchMode or a profiler of the program would notice"
            read = tensors.detach(t)
            for d in range(len(part) // 3):
                start, step, count = part[3 * d : 3 * d + 3]
                if d >= read.dim() or count and start + (count - 1) * step >= read.shape[d]:
                    return ANSWER_OTHER_PART
                read = tensors.Base.__getitem__(read, (slice(None),) * d + (slice(start, start + count * step, step),))
            found = values.value(read, named=MOST_ELEMENTS)
            if found is None:
                return "elements of %s tensors on %s cannot be read" % (tensors.name_of(tensors.dtype(t)), tensors.device_of(t))
            values.read(r, t, found, tuple(part))
            return ""
    except (RuntimeError, TypeError, NotImplementedError) as error:
        return "it cannot be read: " + str(error)[:200]
    finally:
        ops.pause(ident, -1)


def _number(t: Any) -> int:
    r = tensors.known(t)
    return 0 if r is None else r.n


def _cancelled() -> bool:
    return bool(wire.on and wire.attention[ATTENTION_CANCEL])


@contextmanager
def _apart() -> Iterator[Callable[[], int]]:
    """What is not part of the run, and must not change it. Gives how many tensors have changed nevertheless."""
    ident = get_ident()
    ops.pause(ident, 1)
    grad, dtype = torch.is_grad_enabled(), torch.get_default_dtype()
    guard = _Guard()
    _guards.append(guard)
    before = [(r, tensors.version_of(t)) for r in list(tensors.refs.values()) if (t := r()) is not None]
    try:
        with guard:
            yield lambda: sum((t := r()) is not None and tensors.version_of(t) != version for r, version in before)
    finally:
        _guards.pop()
        if torch.is_grad_enabled() != grad:
            torch.set_grad_enabled(grad)
        if torch.get_default_dtype() != dtype:
            torch.set_default_dtype(dtype)
        ops.pause(ident, -1)


def _older(t: Any) -> bool:
    """Whether a tensor was there before the expression."""
    return not _guards or _memory(t) not in _guards[-1].made


def _memory(t: Any) -> int:
    """Something that tensors which share memory have in common."""
    return tensors.storage_key(t) or id(t)


class _Guard(TorchDispatchMode):
    """Refuses operations that write to memory of the program."""

    def __init__(self) -> None:
        super().__init__()
        self.made: set[int] = set()  # memory of the expression
        self.kept: list[Any] = []  # so that it is not used again meanwhile

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        schema = getattr(func, "_schema", None)
        if schema is None:
            return func(*args, **kwargs)
        name = schema.name.rpartition("::")[2]
        for i, argument in enumerate(schema.arguments):
            if argument.alias_info is not None and argument.alias_info.is_write:
                self._may_write(name, args[i] if i < len(args) else kwargs.get(argument.name))
        if name.endswith("batch_norm") and len(args) > _TRAINING and args[_TRAINING]:
            self._may_write(name, args[_RUNNING_MEAN])  # which the schema does not say
        out = func(*args, **kwargs)
        given = set() if name in _FRESH else {_memory(t) for t in _tensors((args, tuple(kwargs.values())))}
        for t in _tensors(out):
            memory = _memory(t)
            if memory not in given:
                self.made.add(memory)
                self.kept.append(t)
        return out

    def _may_write(self, name: str, value: Any) -> None:
        if any(_memory(t) not in self.made for t in _tensors(value)):
            raise aside.Refused(name)


def _tensors(value: Any) -> Iterator[Any]:
    """The tensors in a value."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (tuple, list)):
        for v in value:
            yield from _tensors(v)
