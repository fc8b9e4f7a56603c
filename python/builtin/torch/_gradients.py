"""What the program knows of gradients, so that it need not wait for t.grad.

t._g holds it: (era, weak reference to the gradient, its meta), or True for tensors
that are gradients themselves. A gradient that no longer has an object in the program
gets a new one, unless two tensors may share the gradient: then a read through the other
may have given it one.
"""

from gradtui._agent.unseen import unseen

from . import _engine, _objects
from ._engine import OURS, THIS, Open, foreseen, raw_call
from ._objects import objects

_SKIPPED = 1 + 2 * OURS
_shared = False  # whether a tensor may be the gradient of two others


@unseen
def read(t, function):
    """What t.grad gives, by the number of the function for that."""
    record = t._g
    m = known = None
    if record.__class__ is tuple and record[0] == _objects.era:
        known = record[1]()
        m = THIS if known is not None else None if _shared else record[2]
    g = foreseen(function, (t,), None, _SKIPPED, m, known)
    if g is known:
        return g
    if g.__class__ is Open:
        g = g[0](*g[1])
    if g.__class__ is _engine.tensor_class:
        _note(t, g)
    return g


@unseen
def write(t, g, function):
    """Does t.grad = g."""
    global _shared
    raw_call(function, (t, g), None, _SKIPPED)
    record = t._g
    known = record.__class__ is tuple
    if known:
        t._g = None
    if g.__class__ is _engine.tensor_class:
        if g._g is True and not (known and record[1]() is g):
            _shared = True
        _note(t, g)
    elif g is not None:
        _shared = True


def _note(t, g):
    g._g = True
    if g._m and t._g is not True:
        t._g = _objects.era, objects[g._h], g._m
