"""Backward passes.

All of them go through `run_backward` of PyTorch's engine. Records say which one
began, and what became of the gradients of leaves. The order of the nodes follows from
the graph; when the debugger looks at a pass closely, hooks watch each of its nodes.
"""

from __future__ import annotations

import sys
from _thread import get_ident
from itertools import count, starmap
from time import monotonic

from .._agent import aside, holders, stacks
from .._agent.unseen import unseen
from . import amounts, facts, nodes, ops, tensors, values, wire
from ._protocol import (
    ACCUMULATE_INPLACE,
    ACCUMULATE_NEW,
    ACCUMULATE_RETAIN,
    ACCUMULATE_STEAL,
    FLAG_GRADIENT,
    PASS_CREATE_GRAPH,
    PASS_GRAD_ONLY,
    PASS_RETAIN_GRAPH,
)
from .nodes import ACCUMULATE, number
from .wire import pending

TYPE_CHECKING = False  # typing is not imported for it
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from torch import Tensor

    from .._agent.stacks import CallSite
    from .ops import Args, Kwargs
    from .tensors import Ref
    from .wire import Settings

_next_pass = count(1).__next__
hooked: dict[int, int | None] = {}  # pass -> the node before which a hook of a tensor ran last, if it has not run yet
reported: dict[int, set[int]] = {}  # pass -> numbers of the leaves whose gradients were reported while it ran
running: dict[int, list[int]] = {}  # thread -> passes that run, outermost first
_watched = 0  # passes that were watched
closely = 20  # in so many of them, larger gradients are summed up
watch = 100  # so many passes are watched without being asked

_each = False  # whether gradtui is asked at each node
_all = False  # whether all nodes are watched
_begins: Sequence[str] = ()  # patterns of the names of nodes before which gradtui is asked
_ends: Sequence[str] = ()  # and after which
_matching: dict[str, tuple[bool, bool]] = {}  # name of a node -> whether it is before such a node, and after it


def arm(settings: Settings) -> None:
    """Finds out at which nodes the program has to ask gradtui."""
    global _each, _all, _begins, _ends
    _each = bool(settings.get("attend"))
    _all = _each or bool(settings.get("nonfinite"))
    _begins, _ends = settings.get("ops", ()), settings.get("free", ())
    _matching.clear()


def _asked_at(name: str) -> tuple[bool, bool]:
    found = _matching.get(name)
    if found is None:
        found = _matching[name] = stacks.matches(name, _begins), stacks.matches(name, _ends)
    return found


def _somewhere() -> bool:
    """Whether gradtui is asked at any node of those that there have been."""
    return bool(_begins or _ends) and any(any(_asked_at(name)) for name in list(nodes.kinds))


class Engine:
    """Takes the place of PyTorch's engine, which does everything."""

    def __init__(self, original: Any) -> None:
        self.original = original

    def __getattr__(self, name: str) -> Any:
        return getattr(self.original, name)

    @unseen
    def run_backward(self, roots, *args, **kwargs):
        site = facts.here()
        call = site.call or ops.caller(site, 2)
        began: list[Pass | None] = []
        done, result = False, None
        try:
            began.extend(starmap(begins_at, ((site, roots, args, kwargs),)))
            result = call(self.original.run_backward, (roots,) + args, kwargs)
            done = True
        finally:
            ends(began, done, result)
        return result


def begins(roots: Any, args: Args, kwargs: Kwargs) -> Pass | None:
    """A pass is about to begin, in the frame that calls this."""
    return begins_at(facts.here(), roots, args, kwargs)


def begins_at(site: CallSite, roots: Any, args: Args, kwargs: Kwargs) -> Pass | None:
    """A pass is about to begin."""
    if aside.reading:
        if kwargs.get("accumulate_grad", True):
            aside.refuse("backward()")
        if not (args[1] if len(args) > 1 else kwargs.get("keep_graph", False)):
            aside.refuse("grad without retain_graph=True")
    if not wire.on or ops.off():
        return None
    try:
        return _begun_at(site, roots, args, kwargs)
    except Exception:
        wire.broken()
        return None


def _begun_at(site: CallSite, roots: Any, args: Args, kwargs: Kwargs) -> Pass:
    grads = args[0] if args else ()
    keep = args[1] if len(args) > 1 else kwargs.get("keep_graph", False)
    create = args[2] if len(args) > 2 else kwargs.get("create_graph", False)
    inputs = args[3] if len(args) > 3 else kwargs.get("inputs", ())
    accumulates = kwargs.get("accumulate_grad", True)
    operands = [t for t in tuple(roots) + tuple(inputs or ()) if isinstance(t, tensors.Tensor)]
    if not all(map(tensors.requires_grad, operands)):  # the engine will refuse that
        return Pass(0, site, operands, accumulates)
    p = Pass(_next_pass(), site, operands, accumulates)
    with ops.undisturbed():
        flags = (PASS_RETAIN_GRAPH if keep else 0) | (PASS_CREATE_GRAPH if create else 0) | (0 if accumulates else PASS_GRAD_ONLY)
        reported_roots = tuple(_root(t, g) for t, g in zip(roots, grads or (None,) * len(roots)))
        asked = tuple(_number(t) for t in inputs or () if isinstance(t, tensors.Tensor))
        ops.put(("backward", p.number, site.number, flags, reported_roots, asked))
        _stacks[p.number] = site.number
        p.before = _kept() if accumulates else ()
        p.remove = _watch_nodes(p.number, roots)
    holders.backward()
    p.era = wire.era
    running.setdefault(get_ident(), []).append(p.number)
    try:
        if monotonic() > wire.due[0]:
            wire.flush()  # it may take long, or end the program
        facts.stop_if_asked(site)
    except BaseException as error:  # of a signal handler
        p.leave()
        p.last = None
        p.failed(error)
        raise
    return p


class Pass:
    """A backward pass. Number 0: one that the engine refuses."""

    def __init__(self, number: int, site: CallSite, operands: Sequence[Tensor], accumulates: bool) -> None:
        self.number = number
        self.site = site
        self.operands = operands
        self.accumulates = accumulates
        self.before: Sequence[tuple[Ref, int, int, Ref | None]] = ()
        self.last: int | None = None  # the node before which a hook of a tensor ran last
        self.remove = _nothing
        self.era = wire.era

    def leave(self) -> None:
        """It does not run any more."""
        if self.number:
            ident = get_ident()
            running[ident].pop()
            if not running[ident]:
                del running[ident]
            hooked.pop(self.number, None)
            self.remove()

    def failed(self, error: BaseException) -> None:
        if self.number:
            with ops.undisturbed():
                _after(self.number, self.before)
                if _UNUSED in str(error):  # it comes when all is done
                    ops.put(("ended", self.number, self.site.number))
                else:
                    ops.put(("failed", self.number, self.site.number, type(error).__name__, str(error)[:2000], self.last))
        if not self.number and not isinstance(error, RuntimeError):
            return
        _raised("backward" if self.accumulates else "grad", self.site, error, self.operands)

    def ended(self, result: Any) -> None:
        with ops.undisturbed():
            _after(self.number, self.before)
            for t in result or ():
                if t is not None and tensors.known(t) is None:
                    _new_gradient(t)
            ops.put(("ended", self.number, self.site.number))


def ends(began: list[Pass | None], done: bool, result: Any) -> None:
    """A pass is over: it has a result, or an exception is on its way."""
    p = began[0] if began else None
    if p is None:
        return
    p.last = hooked.get(p.number)
    try:
        p.leave()
        if not wire.on or wire.era != p.era:  # recording has ended meanwhile
            return
        if not done:
            p.failed(sys.exc_info()[1])
            return
        if p.number:
            p.ended(result)
    except Exception:
        wire.broken()
        return
    if p.accumulates and wire.settings.get("named"):
        wire.sync()
    facts.stop_if_asked()


_UNUSED = "appears to not have been used in the graph"


def _raised(name: str, site: CallSite, error: BaseException, operands: Sequence[Tensor]) -> None:
    """A call of backward() or grad() has raised an error. That of an operation in a hook
    has been reported already."""
    if ops.newest_error == (id(error), str(error)):
        return
    with ops.undisturbed():
        for t in operands:
            _number(t)
        ops.failed(name, site, error, operands)


def _number(t: Any) -> int:
    """The number of a root or an input; 0 for a GradientEdge."""
    return ops.seen_before(t).n if isinstance(t, tensors.Tensor) else 0


def _root(t: Any, g: Any) -> tuple[Any, ...]:
    """A root of a pass and its gradient. Instead of a tensor it may be a GradientEdge."""
    gradient = 0 if g is None or tensors.known(g) is None else _number(g)
    if isinstance(t, tensors.Tensor):
        return _number(t), gradient, values.grad(g)
    nodes.report_graph([t.node])
    return 0, gradient, values.grad(g), (_name(t.node), t.output_nr)


def _kept() -> list[tuple[Ref, int, int, Ref | None]]:
    """The tensors that a pass may give a gradient, and the one that they have: a list of
    (Ref, id of the gradient, its version, its Ref): another one may be at the same address."""
    found = []
    for r in list(tensors.keepers.values()):
        t = r()
        if t is not None and r.sort.wants:
            g = tensors.grad_of(t)
            found.append((r, 0, 0, None) if g is None else (r, id(g), tensors.version_of(g), tensors.known(g)))
    return found


def _after(number_of_pass: int, before: Iterable[tuple[Ref, int, int, Ref | None]]) -> None:
    """Reports what a pass has done to the gradients that tensors keep."""
    arrived: list[tuple[Tensor, Ref, Tensor, int]] = []
    for r, identity, version, ref in before:
        t = r()
        g = None if t is None or r.n in reported.get(number_of_pass, ()) else tensors.grad_of(t)
        if g is not None and (id(g) != identity or tensors.version_of(g) != version or tensors.known(g) is not ref):
            arrived.append((t, r, g, identity))  # another thread may drop the tensor meanwhile
    reported.pop(number_of_pass, None)
    found = values.of_gradients([(r, g) for _, r, g, _ in arrived])
    for (_, r, g, identity), value in zip(arrived, found):
        _arrived(number_of_pass, r, g, identity, value)
    _stacks.pop(number_of_pass, None)


_stacks: dict[int, int] = {}  # number of a pass that runs -> its call stack


def _arrived(number_of_pass: int, r: Ref, g: Tensor, identity: int, value: Any) -> None:
    """Reports the gradient that a tensor keeps now; identity is the id of the one before."""
    ref = tensors.known(g)
    stack = _stacks.get(number_of_pass, 0)  # the newest operation may be one of a Function or a hook
    how = ACCUMULATE_NEW if identity else ACCUMULATE_STEAL
    if ref is None:
        ref = _new_gradient(g, stack)
    elif id(g) == identity:
        how = ACCUMULATE_INPLACE
        v = tensors.version_of(g)
        if v != ref.counter[0]:
            ref.counter[0] = ref.at = v
            pending.append(("changed", ref.n, v, stack, None))
    if amounts.rules:
        amounts.inherit(ref, r)
    if r.sort.wants == tensors.INNER:
        how = ACCUMULATE_RETAIN
    pending.append(("accumulated", number_of_pass, r.n, ref.n, how, value))


def _new_gradient(g: Tensor, stack: int = 0) -> Ref:
    return nodes.report(g, extra=FLAG_GRADIENT, stack=stack)


def _watch_nodes(number_of_pass: int, roots: Any) -> Callable[[], None]:
    """Watches the nodes of a pass with hooks; returns a function that removes them."""
    global _watched
    every = _all or _watched < watch
    if not every and not _somewhere():
        return _nothing
    _watched += 1
    handles = []
    seen = set()
    todo = []
    for t in roots:
        g = t.node if not isinstance(t, tensors.Tensor) else tensors.grad_fn(t)
        if g is not None:
            todo.append(g)
    while todo:
        g = todo.pop()
        if g in seen:
            continue
        seen.add(g)
        todo.extend(h for h, _ in g.next_functions if h is not None)
        if not every and not any(_asked_at(type(g).__name__)):
            continue
        before, after = (_LeafBegins, _LeafEnds) if type(g).__name__ == ACCUMULATE else (_Begins, _Ends)
        begins = before(number_of_pass, g)
        handles.append(g.register_prehook(begins))
        handles.append(g.register_hook(after(begins)))

    def remove():
        for h in handles:
            h.remove()

    return remove


def reset() -> None:
    """Watches the first passes of a recording."""
    global _watched
    _watched = 0


def _nothing() -> None:
    pass


def _name(g: Any) -> int:
    """The number of a node in records."""
    if type(g).__name__ == ACCUMULATE:
        return -nodes.ref_of(g.variable).n
    return number(g)


class _Begins:
    """A node is about to run."""

    def __init__(self, number_of_pass: int, g: Any) -> None:
        self.names = number_of_pass, _name(g)
        self.kind = type(g).__name__
        self.era = wire.era
        self.closely = _watched <= closely

    def __call__(self, grads: Any) -> None:
        if self.era != wire.era:
            return
        hooked.pop(self.names[0], None)
        with ops.undisturbed():
            named = amounts.of_node(self.names[1]) if amounts.rules else 0
            ops.put(("runs",) + self.names + (tuple(values.grad(g, self.closely, named) for g in grads),))
            if _each or wire.attention[0] or _asked_at(self.kind)[0]:
                wire.sync()


class _Ends:
    """A node has run."""

    def __init__(self, begins: Any) -> None:
        self.begins = begins

    def __call__(self, grads: Any, _: Any) -> None:
        if self.begins.era != wire.era:
            return
        with ops.undisturbed():
            self.kept()
            ops.put(("ran",) + self.begins.names + (tuple(values.grad(g, self.begins.closely) for g in grads),))
            if ops.stop_all or wire.attention[0] or _asked_at(self.begins.kind)[1]:
                wire.sync()

    def kept(self) -> None:
        """Reports the gradient that a tensor keeps, if it keeps one."""


class _LeafBegins(_Begins):
    """The gradient of a leaf is about to be kept."""

    def __init__(self, number_of_pass: int, g: Any) -> None:
        super().__init__(number_of_pass, g)
        self.leaf = tensors.known(g.variable)
        self.before = 0

    def __call__(self, grads: Any) -> None:
        g = self.grad()
        self.before = 0 if g is None else id(g)
        _arriving[self.leaf.n] = self
        super().__call__(grads)

    def grad(self) -> Tensor | None:
        t = self.leaf()
        return None if t is None else tensors.grad_of(t)


class _LeafEnds(_Ends):
    """The gradient of a leaf is kept."""

    def kept(self) -> None:
        kept(self.begins.leaf.n)


_arriving: dict[int, _LeafBegins] = {}  # number of a leaf -> the _LeafBegins that has been called last


def kept(n: int) -> None:
    """Reports the gradient that a leaf keeps, once for each time that its node runs."""
    begins = _arriving.pop(n, None)
    g = None if begins is None or begins.era != wire.era else begins.grad()
    if g is not None:
        number_of_pass = begins.names[0]
        reported.setdefault(number_of_pass, set()).add(n)
        with ops.undisturbed():
            _arrived(number_of_pass, begins.leaf, g, begins.before, values.of_gradients([(begins.leaf, g)])[0])
