"""Backward passes.

All of them go through `run_backward` of PyTorch's engine. gradtui is told which one
began, and what became of the gradients of leaves. The order of the nodes follows from
the graph; when somebody looks at a pass closely, each of its nodes is watched with hooks.
"""

from itertools import count

import torch

from .. import stacks
from . import nodes, ops, tensors, values, wire
from .nodes import ACCUMULATE, number
from .tensors import refs
from .wire import get_ident, pending

STEAL, COPY, INPLACE, NEW, RETAIN = 1, 2, 3, 4, 5  # how a gradient gets into .grad
_RETAIN_GRAPH, _CREATE_GRAPH, _GRAD = 1, 2, 4

_next_pass = count(1).__next__
running = {}  # thread -> passes that run, outermost first
_watched = 0  # passes that were watched
watch = 100  # so many passes are watched without being asked


class Engine:
    """Takes the place of PyTorch's engine, which does everything."""

    def __init__(self, original):
        self.original = original

    def __getattr__(self, name):
        return getattr(self.original, name)

    def run_backward(self, *args, **kwargs):
        frame = ops._getframe(1)
        site = stacks.find(frame)
        call = site.call or ops.caller(site, frame)
        run = self.original.run_backward
        if not wire.on or ops.off():
            return call(run, args, kwargs)
        return _recorded(run, call, site, args, kwargs)


def _recorded(run, call, site, args, kwargs):
    roots = args[0]
    grads = args[1] if len(args) > 1 else ()
    keep = args[2] if len(args) > 2 else kwargs.get("keep_graph", False)
    create = args[3] if len(args) > 3 else kwargs.get("create_graph", False)
    inputs = args[4] if len(args) > 4 else kwargs.get("inputs", ())
    accumulates = kwargs.get("accumulate_grad", True)
    number_of_pass = _next_pass()
    ident = get_ident()
    with ops._undisturbed():
        flags = (_RETAIN_GRAPH if keep else 0) | (_CREATE_GRAPH if create else 0) | (0 if accumulates else _GRAD)
        told = tuple(
            (_number(t), 0 if g is None or tensors.known(g) is None else _number(g), values.grad(g)) for t, g in zip(roots, grads or (None,) * len(roots))
        )
        asked = tuple(_number(t) for t in inputs or () if isinstance(t, tensors.Tensor))
        pending.append(("backward", number_of_pass, site.number, flags, told, asked))
        before = _kept() if accumulates else ()
        remove = _watch_nodes(number_of_pass, roots)
    wire.flush()
    stack = running.setdefault(ident, [])
    stack.append(number_of_pass)
    try:
        result = call(run, args, kwargs)
    except BaseException as error:
        with ops._undisturbed():
            _after(number_of_pass, before)
            pending.append(("failed", number_of_pass, site.number, type(error).__name__, str(error)[:2000], None))
        raise
    finally:
        stack.pop()
        remove()
        if not stack:
            del running[ident]
    with ops._undisturbed():
        _after(number_of_pass, before)
        if result:
            for t in result:
                if t is not None and tensors.known(t) is None:
                    _new_gradient(t)
        pending.append(("ended", number_of_pass, site.number))
    if ops._stop_all or wire.attention[0] or wire.settings.get("free"):
        wire.sync()
    return result


def _number(t):
    """The number of a root or an input; that of a GradientEdge is 0."""
    return ops.seen_before(t).n if isinstance(t, tensors.Tensor) else 0


def _kept():
    """The tensors that a pass may give a gradient, and the one that they have: a list of
    (Ref, id of the gradient, its version)."""
    found = []
    for r in list(tensors.keepers.values()):
        t = r()
        if t is not None and r.sort.wants:
            g = tensors.grad_of(t)
            found.append((r, 0, 0) if g is None else (r, id(g), tensors.version_of(g)))
    return found


def _after(number_of_pass, before):
    """Tells what a pass has done to the gradients that tensors keep."""
    arrived = []
    for r, identity, version in before:
        t = r()
        if t is None:
            continue
        g = tensors.grad_of(t)
        if g is not None and (id(g) != identity or tensors.version_of(g) != version):
            arrived.append((r, g, identity))
    finite = values.level != 1 or values.all_finite([g for _, g, _ in arrived])
    for r, g, identity in arrived:
        ref = refs.get(id(g))
        how = NEW if identity else STEAL
        if ref is None:
            ref = _new_gradient(g)
        elif id(g) == identity:
            how = INPLACE
            v = tensors.version_of(g)
            if v != ref.counter[0]:
                ref.counter[0] = ref.at = v
                pending.append(("changed", ref.n, v, 0, None))
        if r.sort.wants == tensors.INNER:
            how = RETAIN
        pending.append(("accumulated", number_of_pass, r.n, ref.n, how, values.value(g) if finite else _checked(g)))


def _checked(g):
    """The value of a gradient; also of a large one if something is wrong with it."""
    if values.level == 1 and tensors.numel(g) > values.WHOLE and not values.all_finite([g]):
        return values._summary(tensors.detach(g), tensors.numel(g))
    return values.value(g)


def _new_gradient(g):
    return nodes.tell(g, extra=tensors.GRADIENT)


def _watch_nodes(number_of_pass, roots):
    """Sees to it that each node of a pass tells when it runs; returns what ends that."""
    global _watched
    if not wire.settings.get("nodes", 0) and _watched >= watch:
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
        handles.append(g.register_prehook(_Begins(number_of_pass, g)))
        handles.append(g.register_hook(_Ends(number_of_pass, g)))
        todo.extend(h for h, _ in g.next_functions if h is not None)

    def remove():
        for h in handles:
            h.remove()

    return remove


def _nothing():
    pass


def _name(g):
    """The number of a node in records."""
    if type(g).__name__ == ACCUMULATE:
        return -nodes.meet(g.variable).n
    return number(g)


class _Begins:
    """A node is about to run."""

    def __init__(self, number_of_pass, g):
        self.names = number_of_pass, _name(g)

    def __call__(self, grads):
        with ops._undisturbed():
            pending.append(("runs",) + self.names + (tuple(map(values.grad, grads)),))
            if wire.settings.get("attend") or wire.attention[0] or wire.settings.get("ops"):
                wire.sync()


class _Ends:
    """A node has run."""

    def __init__(self, number_of_pass, g):
        self.names = number_of_pass, _name(g)

    def __call__(self, grads, _):
        with ops._undisturbed():
            pending.append(("ran",) + self.names + (tuple(map(values.grad, grads)),))
