"""Tensors that the program has dropped and PyTorch would keep, as Python objects.

In PyTorch the object of a tensor stays, with its attributes and weak references, as long as
something in C++ holds the tensor: a leaf lives as long as its graph. Here the engine holds
tensors without their objects. So a tensor for which this counts has a finalizer of its own,
in its slot __del__, as which all others have something in C that does nothing. When the
program drops the tensor, and could notice that it is gone, the finalizer asks the engine
what holds it, and keeps it until that goes.
"""

import atexit
from itertools import islice
from weakref import getweakrefcount, ref

from . import _values
from ._channel import Gone
from ._engine import call, modes
from ._objects import finalizers, objects
from ._protocol import HELD_BY_NONE, HELD_BY_TENSOR, HELD_UNKNOWN

MOST_AT_ONCE = 100

_kept = {}  # handle -> (tensor, what holds it: kind and handle), in the order in which they were asked for
_watched = {}  # kind and handle -> Watch


class Watch(ref):
    """The weak reference to a tensor or node that holds others, by their handles."""

    __slots__ = ("holder", "held")


def dropped(h):
    """The program has dropped a tensor that was looked after."""
    known = objects.get(h)
    t = known and known()
    if t is None or not _noticeable(t):
        return
    _kept[h] = t, (HELD_UNKNOWN, 0)
    _ask([h])


def _noticeable(t):
    """Whether the program could tell a new object for the tensor from this one."""
    return getweakrefcount(t) > 1 or t.__dict__ or type(t) not in _values.classes


def _gone(watch):
    """What held tensors is about to go."""
    if _watched.get(watch.holder) is watch:
        del _watched[watch.holder]
        _ask(list(watch.held), *watch.holder)


def look_again():
    """A backward pass has freed what nodes had saved."""
    if _kept:
        _ask(list(islice(_kept, MOST_AT_ONCE)))


def _ask(handles, *gone):
    """Asks what holds tensors beside something that goes, and gives up those that nothing holds. Two
    that were not asked for the longest time are asked for as well: their holders may live and not
    hold them any more."""
    handles += [h for h in islice(_kept, 2) if h not in handles]
    others = modes[:]
    modes.clear()  # the program's modes are not concerned
    try:
        answer = call("autograd.holders", (handles, *gone))
    except Gone:
        answer = (HELD_BY_NONE, 0) * len(handles)
    finally:
        modes[:] = others
    for h, kind, holder in zip(handles, answer[::2], answer[1::2]):
        _note(h, (kind, holder))


def _note(h, holder):
    """Takes note of what holds the tensor of a handle."""
    t, before = _kept.pop(h, (None, None))
    watch = _watched.get(before)
    if watch is not None:
        watch.held.discard(h)
        if not watch.held:
            del _watched[before]
    if t is None or holder[0] == HELD_BY_NONE:
        return
    _kept[h] = t, holder
    if holder[0] == HELD_UNKNOWN:
        return
    watch = _watched.get(holder)
    if watch is None:
        known = (objects if holder[0] == HELD_BY_TENSOR else _values.nodes).get(holder[1])
        of = known and known()
        if of is None:
            return
        watch = _watched[holder] = Watch(of, _gone)
        watch.holder, watch.held = holder, set()
    watch.held.add(h)


def _end():
    """The program is at its end: the modules that are needed here go."""
    finalizers.clear()
    _watched.clear()


finalizers.append(dropped)
atexit.register(_end)
