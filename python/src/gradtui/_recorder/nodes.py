"""What nodes of the graph look like.

Nodes are known by their sequence numbers, which PyTorch gives them in the order in which
a thread makes them. Versions of PyTorch that do not tell get numbers from us, in the
nodes' metadata.
"""

from __future__ import annotations

from _thread import get_ident

import torch

from . import existing, tensors, values
from ._protocol import (
    EDGE_ABSOLUTE,
    EDGE_INNER,
    EDGE_NONE,
    EDGE_OPERAND,
    EDGE_VARIABLE,
    FLAG_EXISTING,
    SAVED_EXPLICIT,
    SAVED_NOTHING,
    SAVED_OPERAND,
    SAVED_OUTPUT,
    SAVED_PRIVATE,
    SAVED_VIEW,
    VIEW_NONE,
    VIEW_PLAIN,
)
from .tensors import version_of
from .wire import pending

TYPE_CHECKING = False  # typing is not imported for it
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from torch import Tensor

    from .tensors import Ref

    Before = tuple[Any, int]  # the gradient edge and the version of an operand before an operation

ACCUMULATE = "AccumulateGrad"
_KEY = "gradtui"

# The edges and slots of records.

unreadable = 0  # more than 0: what is saved belongs to hooks of the program

sequence = getattr(torch._C._autograd, "_get_sequence_nr", None)
numbered = sequence is None  # whether the numbers are ours
_next = _first = 0  # the next number, and the first one of this recording

if numbered:

    def sequence() -> int:
        """The number that the next node gets."""
        return _next

    def number(g: Any) -> int:
        """The sequence number of a node; -1 if it has none yet."""
        return g.metadata.get(_KEY, -1)

    def unnumbered(g: Any) -> bool:
        """Whether a node has got no number in this recording."""
        return number(g) < _first

    def path_of(order: list[Any], index: dict[Any, int], root: Any) -> tuple[Any, ...] | None:
        """How the new nodes of an operation are reached from its result's node: (index of that
        node, its type, ((from, edge, to, type), ...), number of new nodes). None: some are not
        reached; (): there are none."""
        if root is None:
            return None if order else ()
        todo, steps = [root], []
        for g in todo:
            for i, (h, _) in enumerate(g.next_functions):
                if h in index and h not in todo:
                    todo.append(h)
                    steps.append((index[g], i, index[h], type(h)))
        return (index[root], type(root), tuple(steps), len(order)) if root in index and len(todo) == len(order) else None

    def number_along(path: Any, out: Tensor) -> None:
        """Numbers the nodes of an operation that has made a tensor; not as many as expected
        if they are others than those on the path."""
        global _next
        if not path:
            _next += tensors.requires_grad(out)  # no node was expected
            return
        root, kind, steps, size = path
        g = tensors.grad_fn(out)
        if g.__class__ is not kind:
            return
        found = [g] * size
        for a, i, b, kind in steps:
            h = found[a].next_functions[i][0]
            if h.__class__ is not kind or _KEY in h.metadata:
                return
            found[b] = h
        for h in found:
            h.metadata[_KEY] = _next
            _next += 1

else:

    def path_of(order: list[Any], index: dict[Any, int], root: Any) -> tuple[Any, ...] | None:
        """PyTorch counts."""
        return ()

    def number(g: Any) -> int:
        """The sequence number of a node."""
        return g._sequence_nr()


kinds = {ACCUMULATE}  # names of nodes that there have been


_MOST_RANGES = 256  # that are remembered; gradtui ignores repeated reports


class Known:
    """The sequence numbers that gradtui knows, as ranges."""

    def __init__(self) -> None:
        self.top = [0, 0]  # the newest range: from, to
        self.older: list[tuple[int, int]] = []

    def add(self, low: int, high: int) -> None:
        if low == self.top[1]:
            self.top[1] = high
        elif low > self.top[1]:
            if self.top[0] < self.top[1]:
                self._keep(*self.top)
            self.top[:] = low, high
        else:
            self._keep(low, high)

    def _keep(self, low: int, high: int) -> None:
        older = self.older
        if older and older[-1][1] == low:
            older[-1] = older[-1][0], high
            return
        older.append((low, high))
        if len(older) > _MOST_RANGES:
            del older[: _MOST_RANGES // 2]

    def __contains__(self, n: int) -> bool:
        if self.top[0] <= n < self.top[1]:
            return True
        for low, high in reversed(self.older):
            if low <= n < high:
                return True
        return False


_known: dict[int, Known] = {}  # thread -> Known


def reset() -> None:
    """Forgets all nodes."""
    global unreadable, _first
    _known.clear()
    unreadable = 0
    _first = _next


def known_of(ident: int) -> Known:
    k = _known.get(ident)
    if k is None:
        k = _known[ident] = Known()
    return k


def _slots(kind: type) -> tuple[tuple[str, str], ...]:
    """The attributes of a type of nodes that hold what it has saved."""
    found = _slot_names.get(kind)
    if found is None:
        found = _slot_names[kind] = tuple((a, a[len("_saved_"):]) for a in dir(kind) if a.startswith("_saved_"))
    return found


_slot_names: dict[type, tuple[tuple[str, str], ...]] = {}


def new_below(roots: Sequence[Any], is_new: Callable[[Any], bool]) -> list[Any]:
    """The nodes that are reached from some through nodes that are new, each after those
    that it points to."""
    order = []
    seen = set()
    stack = [(g, False) for g in reversed(roots)]
    while stack:
        g, left = stack.pop()
        if left:
            order.append(g)
            continue
        if g in seen or type(g).__name__ == ACCUMULATE or not is_new(g):
            continue
        seen.add(g)
        stack.append((g, True))
        for h, _ in reversed(g.next_functions):
            if h is not None:
                stack.append((h, False))
    if numbered:
        global _next
        for g in order:
            g.metadata[_KEY] = _next
            _next += 1
    else:
        order.sort(key=number)
    return order


_Undispatched = torch._C._DisableTorchDispatch  # while there is one, no Python code answers for PyTorch


class Looker:
    """Describes nodes that an operation has made, or that are found.

    ins and outs are lists of (tensor, Ref); befores are the gradient edges and versions
    that the inputs had before the operation; newest is the number that others are counted
    back from, None for absolute descriptions."""

    def __init__(
        self, order: list[Any], newest: int | None = None, ins: Sequence[tuple[Tensor, Ref]] = (), outs: Sequence[tuple[Tensor, Ref]] = (),
        befores: Sequence[Before] = (),
    ) -> None:
        self.order = order
        self.newest = newest
        self.index = {g: j for j, g in enumerate(order)}
        self.ins: dict[int, int] = {}
        self.edges: dict[Any, int] = {}
        for k, (_, r) in enumerate(ins):
            self.ins.setdefault(r.n, k)
            edge, _ = befores[k]
            if edge is not None:
                self.edges.setdefault(edge, k)
        self.versions = [b[1] for b in befores]
        self.given = ins
        self.outs = outs
        self.extra: list[tuple[int, int]] = []
        self.kept: list[Tensor] = []  # what is referred to lives until it is said

    def nodes(self) -> tuple[Any, ...]:
        return tuple(map(self.node, self.order))

    def node(self, g: Any) -> tuple[Any, ...]:
        n = number(g)
        seq = n if self.newest is None else self.newest - n
        edges = tuple(self.edge(h, i) for h, i in g.next_functions)
        saved, attrs = self.saved(g)
        name = type(g).__name__
        kinds.add(name)
        results = results_of(g)
        return (name, seq, 1 if results is None else len(results), edges, saved, attrs, 0, results)

    def edge(self, h: Any, i: int) -> tuple[int, int, int]:
        if h is None:
            return (EDGE_NONE, 0, 0)
        if type(h).__name__ == ACCUMULATE:
            r = ref_of(h.variable)
            k = self.ins.get(r.n)
            if k is not None and r.grad is None:
                return (EDGE_OPERAND, k, 0)
            return self.absolute((-r.n, 0), lambda: (EDGE_VARIABLE, r.n, 0))
        if self.newest is not None:
            j = self.index.get(h)
            if j is not None:
                return (EDGE_INNER, j, i)
            k = self.edges.get((number(h), i))
            if k is not None:
                return (EDGE_OPERAND, k, 0)
        n = number(h)
        return self.absolute((n, i), lambda: (EDGE_ABSOLUTE, n, i))

    def absolute(self, value: tuple[int, int], own: Callable[[], tuple[int, int, int]]) -> tuple[int, int, int]:
        if self.newest is None:
            return own()
        self.extra.append(value)
        return (EDGE_ABSOLUTE, len(self.extra) - 1, 0)

    def saved(self, g: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        if unreadable:
            return (), ()
        # A result comes back as another object, which PyTorch detaches.
        guard = _Undispatched()
        try:
            return self.readable(g)
        finally:
            del guard

    def readable(self, g: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        found, attrs = [], []
        kind = type(g)
        if isinstance(g, torch._C._FunctionBase):
            try:
                values = g.saved_tensors
            except RuntimeError:
                values = ()
            for i, v in enumerate(values):
                found.append(self.slot("saved_tensors[%d]" % i, v))
            return tuple(found), ()
        for attribute, slot in _slots(kind):
            try:
                v = getattr(g, attribute)
            except RuntimeError:  # freed, or changed in place
                continue
            c = v.__class__
            if isinstance(v, tensors.Tensor):
                found.append(self.slot(slot, v))
            elif (c is tuple or c is list) and any(isinstance(x, tensors.Tensor) for x in v):
                for i, x in enumerate(v):
                    found.append(self.slot("%s[%d]" % (slot, i), x))
            elif v is None:
                if hasattr(kind, "_raw" + attribute):  # else it is an option that was not given
                    found.append((slot, SAVED_NOTHING, 0))
            else:
                attrs.append((slot, plain(v)))
        return tuple(found), tuple(attrs)

    def slot(self, slot: str, v: Any) -> tuple[Any, ...]:
        if v is None:
            return (slot, SAVED_NOTHING, 0)
        r = tensors.known(v)
        if r is not None:
            k = self.ins.get(r.n)
            if k is not None and self.newest is not None:
                return (slot, SAVED_OPERAND, k)
        for k, (o, _) in enumerate(self.outs):
            if o is v or same(o, v):
                return (slot, SAVED_OUTPUT, k)
        if r is not None:
            return self.other(slot, r.n, v)
        if self.newest is not None:
            m = tensors.meta_of(v)
            base = tensors.base_of(v)
            if base is not None:
                for k, (t, _) in enumerate(self.given):
                    if t is base or tensors.base_of(t) is base:
                        return (slot, SAVED_VIEW, (m, k))
            version = version_of(v)
            return (slot, SAVED_PRIVATE, m, version) if version else (slot, SAVED_PRIVATE, m)
        return self.other(slot, (tensors.known(v) or report(v, graph=False)).n, v)

    def other(self, slot: str, n: int, v: Any) -> tuple[Any, ...]:
        self.kept.append(v)
        version = version_of(v)
        if self.newest is None:
            return (slot, SAVED_EXPLICIT, (n, version))
        self.extra.append((n, version))
        return (slot, SAVED_EXPLICIT, len(self.extra) - 1)


def results_of(g: Any) -> tuple[Any, ...] | None:
    """What the results of a node's operation look like: (dtype, shape) of each, None of one
    that has no shape. None where PyTorch does not tell, as before 2.1."""
    try:
        return tuple(map(result, g._input_metadata))
    except (AttributeError, RuntimeError):
        return None


def result(m: Any) -> tuple[str, tuple[int, ...]] | None:
    """The dtype and the shape of a result."""
    try:
        shape = tuple(m.shape)
    except RuntimeError:  # nested tensors have none
        return None
    if any(n.__class__ is not int for n in shape):  # the compiler does not know them; asking binds it
        return None
    return tensors.name_of(m.dtype), shape


def same(a: Tensor, b: Tensor) -> bool:
    """Whether two tensor objects are the same tensor: one that a node has saved of its
    result comes back as another object."""
    if tensors.answers(a) or tensors.answers(b):
        return False
    try:
        return (
            tensors.data_ptr(a) == tensors.data_ptr(b)
            and tensors.numel(a) > 0
            and tensors.shape(a) == tensors.shape(b)
            and tensors.stride(a) == tensors.stride(b)
            and tensors.dtype(a) == tensors.dtype(b)
        )
    except (RuntimeError, NotImplementedError):
        return False


_PLAIN = (bool, int, float, str, type(None))
_SHOWN = (torch.dtype, torch.device, torch.memory_format, torch.layout)


def plain(v: Any) -> tuple[str, Any]:
    """A value that is not a tensor: ("v", value), or ("r", text). No code of the program runs."""
    c = type(v)
    if c in _PLAIN:
        return "v", v
    if c in (tuple, list, torch.Size):
        parts = tuple(plain(x) for x in v)
        if all(p[0] == "v" for p in parts):
            return "v", tuple(p[1] for p in parts)
        return "r", "(%s)" % ", ".join(str(p[1]) for p in parts)
    if c in _SHOWN:
        return "r", str(v)
    return "r", c.__name__


def ref_of(t: Tensor) -> Ref:
    """The Ref of a tensor, which is reported to gradtui if it is new."""
    r = tensors.known(t)
    if r is not None:
        return r
    return report(t)


def report(t: Tensor, extra: int = 0, stack: int = 0, graph: bool = True) -> Ref:
    """Reports a tensor that exists already, and what it depends on."""
    r = tensors.add(t)
    base = tensors.base_of(t)
    share = None
    if base is not None:
        share = ref_of(base)
        r.base = share.n
        r.counter = share.counter
    else:
        r.counter = [r.at]
    g = tensors.grad_fn(t) if graph and r.sort.wants == tensors.INNER else None
    if g is not None:
        report_graph([g])
        r.grad = (number(g), tensors.output_nr(t))
    flags = tensors.flags_of(t, r.sort) | (extra or FLAG_EXISTING)
    view = VIEW_PLAIN if base is not None else VIEW_NONE
    pending.append((
        "tensor", r.n, r.sort.meta, stack, flags, tensors.storage_key(t), tensors.offset_of(t), r.at,
        r.grad, r.base or 0, view, values.value(t, r.sort, r),
    ))
    existing.met(t, r)
    return r


def report_graph(roots: Sequence[Any]) -> None:
    """Reports the nodes below some that gradtui does not know."""
    ranges = known_of(get_ident())
    order = new_below(roots, unnumbered if numbered else (lambda g: number(g) not in ranges))
    if not order:
        return
    for g in order:
        n = number(g)
        ranges.add(n, n + 1)
    looker = Looker(order)
    pending.append(("nodes", looker.nodes()))
