"""Signatures: what operations that look alike have in common.

An operation is described once, and the description gets a number. A later one has the same signature if
its key is the same, which is made of the kinds of its tensors, its other arguments and the
modes; what is `Signature` of that key says what else has to be so.
"""

from __future__ import annotations

from copy import copy
from itertools import cycle

import torch
from torch import Tensor

from . import nodes, tensors
from ._protocol import FLAG_INFERENCE, VIEW_FUNCTION, VIEW_INFERENCE, VIEW_MULTI_OUTPUT, VIEW_NO_GRAD, VIEW_PLAIN
from .tensors import refs
from .wire import pending

TYPE_CHECKING = False  # typing is not imported for it
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from .ops import Args, Kwargs
    from .tensors import Ref

_get = refs.get
PLAIN = frozenset((int, float, bool, str, type(None), torch.dtype, torch.device, torch.memory_format, torch.layout))

_SHORTEST, _LONGEST = 8, 4096  # operations between two that are looked at

_numbers: dict[str, int] = {}  # description, as text: 2, 2.0 and True are different -> number
_MOST_SIGNATURES = 1 << 13  # after which all are forgotten
# Each number is used again when all signatures have been forgotten twice.
_next_number = cycle(range(1, 2 * _MOST_SIGNATURES + 1)).__next__
_MOST_LEARNED = 2_000  # for one function
_MOST_PLACES = 256  # of one signature of views


class Op:
    """A function of torch and what has been learned about it."""

    __slots__ = ("name", "original", "learned", "stop", "mutates", "silent", "cut", "why", "operator")

    def __init__(self, name: str, original: Callable[..., Any], mutates: bool = False, silent: bool = False, cut: int = 0) -> None:
        self.name = name
        self.original = original
        self.learned: dict[Any, Signature] = {}
        self.stop = False
        self.mutates = mutates
        self.silent = silent  # not an operation of the program's own
        self.cut = cut  # why no gradient flows through it
        self.operator = False  # whether it always gets two operands
        self.why = 0  # why a result that existed before has another grad_fn


ops: list[Op] = []  # all of them


def forget() -> None:
    """Forgets all signatures, and what was learned of them."""
    for op in ops:
        op.learned.clear()
    _numbers.clear()


def number_of(description: tuple[Any, ...]) -> int:
    """The number of a signature."""
    key = repr(description)
    f = _numbers.get(key)
    if f is None:
        if len(_numbers) >= _MOST_SIGNATURES:  # numbers that change all the time make new ones
            forget()
        f = _next_number()
        pending.append(("signature", f) + description)  # first: other threads may use it at once
        _numbers[key] = f
    return f


class Seen:
    """The tensors among the arguments or results of a call, in order."""

    def __init__(self) -> None:
        self.found: list[Tensor] = []

    def take(self, v: Any, depth: int = 0) -> tuple[str, Any]:
        """A description of a value: ("t", i), ("l", parts), ("v", plain), ("r", text)."""
        if isinstance(v, Tensor):
            self.found.append(v)
            return "t", len(self.found) - 1
        c = v.__class__
        if c in (tuple, list, torch.Size) or isinstance(v, (tuple, list)) and depth < 4:
            if depth == 0 and c is not torch.Size or any(isinstance(x, (Tensor, tuple, list)) for x in v):
                parts = tuple(self.take(x, depth + 1) for x in v)
                if all(p[0] == "v" for p in parts):
                    return "v", tuple(p[1] for p in parts)
                return "l", parts
            return nodes.plain(tuple(v))
        if c is slice:
            return "r", "%s:%s:%s" % tuple("" if x is None else x if x.__class__ is int else "?" for x in (v.start, v.stop, v.step))
        return nodes.plain(v)


# Keys.

AGAIN = object()  # in a key: an operand is the same tensor as an earlier one


def taken(a: Any, given: list[Ref], ins: list[int], key: list[Any], depth: int = 0) -> bool:
    """Takes an argument for the key of a signature, and the tensors in it; false if it has none
    that says all of it."""
    r = _get(id(a))
    if r is not None and r() is a:
        if r.n in ins:  # what is saved of it is not known to be of the one or the other
            key.append(AGAIN)
            key.append(ins.index(r.n))
        given.append(r)
        ins.append(r.n)
        key.append(r.sort)
        return True
    c = a.__class__
    key.append(c)
    if c in PLAIN:
        key.append(a)
        return True
    if c is tuple or c is list or c is torch.Size:
        key.append(len(a))
        return depth < 4 and all([taken(x, given, ins, key, depth + 1) for x in a])
    if c is slice:
        return all([taken(x, given, ins, key, 4) for x in (a.start, a.stop, a.step)])
    return a is Ellipsis


# What is learned.


class Signature:
    """What is known of an operation on certain kinds of tensors."""

    _FACTS = ("delta", "path", "cls", "sort", "at", "seq", "nr", "shape", "view", "inplace")
    __slots__ = _FACTS + ("facts", "number", "description", "places", "left", "pause")

    delta: int
    path: Any
    cls: type
    sort: tensors.Sort
    at: int
    seq: int | None
    nr: int
    shape: Any
    view: tuple[int, int] | None
    inplace: bool
    facts: tuple[Any, ...]
    description: tuple[Any, ...]
    places: dict[int, int]

    def __init__(self) -> None:
        self.number = 0  # 0: not known yet
        self.inplace = False
        self.left = 0  # so many more operations are taken to be like the last one
        self.pause = _SHORTEST  # and then so many; 0: each one is looked at

    def confirm(self, number: int, description: tuple[Any, ...], place: int, *facts: Any) -> None:
        """An operation was looked at. number is 0 if others may have another one."""
        if not self.number:
            self.number = number or -1
            self.facts, self.description = facts, description
            for name, fact in zip(self._FACTS, facts):
                setattr(self, name, fact)
            self.places = {place: number}
        elif self.facts != facts or number and number != self.places.setdefault(place, number):
            self.left = self.pause = 0
        else:
            self.left = self.pause
            self.pause = min(2 * self.pause, _LONGEST)


def learn(
    op: Op, key: Any, number: int, description: tuple[Any, ...], given: Sequence[Ref], outs: list[tuple[Tensor, Ref]],
    new: set[int], out: Any, changed: list[tuple[int, int]], looker: nodes.Looker, before: int, after: int,
) -> None:
    """Learns from an operation that was looked at."""
    learned = op.learned
    _, _, out_specs, _, rebases, _ = description
    known = learned.get(key)
    if known is None:
        if len(learned) >= _MOST_LEARNED:
            learned.clear()
        known = learned[key] = Signature()
    plain = not op.silent and not op.cut and not any(r.sort.flags & FLAG_INFERENCE for r in given)  # which have no version
    simple = (
        plain and not changed and not rebases and not looker.extra and len(outs) == 1 and len(new) == 1
        and outs[0][0] is out and outs[0][1].sort.plain and outs[0][1].sort.wants != tensors.LEAF  # which has to be watched
    )
    view, place = seen_through(out, given) if simple else (None, 0)
    if view is None:
        simple = simple and out_specs[0][2] == -1
    else:
        simple = out_specs[0][2] == 0 and out_specs[0][6] == view[0]
    delta = after - before
    # A change in place that makes no nodes, such as an optimizer's.
    inplace = (
        plain and len(changed) == 1 and changed[0][0] == 0 and not looker.extra and not delta
        and len(outs) == 1 and outs[0][0] is out and out_specs[0] == ("in", 0) and not rebases and outs[0][1].sort.plain
        and not outs[0][1].sort.view
    )
    o, r = outs[0] if outs else (None, None)
    path = nodes.path_of(looker.order, looker.index, tensors.grad_fn(o)) if simple else () if inplace else None
    if path is None:
        known.left = known.pause = 0
        return
    seq = None if r.grad is None else r.grad[0] - before
    facts = place, delta, path, out.__class__, r.sort, None if inplace or view else r.at, seq, r.nr, tensors.shape(o), view, inplace
    known.confirm(number, description, *facts)
    if not delta and view is None:
        general = without_floats(key)
        if general != key:
            learned.setdefault(general, Signature()).confirm(0, description, *facts)


def alike(op: Op, key: tuple[Any, ...], args: Args, kwargs: Kwargs) -> Signature | None:
    """What is known of an operation from others whose arguments are other floats, as those
    of an optimizer are in each step; None if that is nothing. It is known only of those
    that make no nodes, which would keep such a number."""
    general = op.learned.get(without_floats(key))
    if general is None or not general.left:
        return None
    general.left -= 1
    ins = Seen()
    spec = [("", ins.take(a)) for a in args] + [(k, ins.take(v)) for k, v in kwargs.items()]
    signature = op.learned[key] = copy(general)
    signature.left = signature.pause = 4 * _SHORTEST
    signature.description = (op.name, tuple(spec)) + general.description[2:]
    signature.number = number_of(signature.description)
    signature.places = {0: signature.number}
    return signature


def elsewhere(signature: Signature, place: int) -> int:
    """The number of a signature of views for one that begins at another place."""
    number = signature.places.get(place)
    if number is None:
        name, spec, (out,), *others = signature.description
        if len(signature.places) > _MOST_PLACES:
            signature.places.clear()
        number = signature.places[place] = number_of((name, spec, (out[:-1] + (place,),), *others))
    return number


def without_floats(key: tuple[Any, ...]) -> tuple[Any, ...]:
    """The key of a signature without the values of floats, whose class is beside them."""
    return tuple([None if k.__class__ is float else k for k in key])


# Views.


def seen_through(out: Tensor, given: Sequence[Ref]) -> tuple[tuple[int, int] | None, int]:
    """What kind of view of the first of some tensors another one is, and how far behind that
    it begins, None if it is none; and where it begins."""
    base, t = tensors.base_of(out), given[0]() if given else None
    if base is None or t is None or base is not t and base is not tensors.base_of(t):
        return None, 0
    place = tensors.offset_of(out)
    return (view_kind(out), place - tensors.offset_of(t)), place


_creation = getattr(torch._C._autograd, "_get_creation_meta", None)
_CREATIONS = {
    "DEFAULT": VIEW_PLAIN, "MULTI_OUTPUT_NODE": VIEW_MULTI_OUTPUT, "MULTI_OUTPUT_SAFE": VIEW_PLAIN, "NO_GRAD_MODE": VIEW_NO_GRAD,
    "IN_CUSTOM_FUNCTION": VIEW_FUNCTION, "INFERENCE_MODE": VIEW_INFERENCE,
}


def view_kind(o: Tensor) -> int:
    """What PyTorch calls the creation kind of a view, as a number of the tape."""
    if _creation is None:
        return VIEW_PLAIN
    try:
        return _CREATIONS.get(_creation(o).name, VIEW_PLAIN)
    except RuntimeError:
        return VIEW_PLAIN
