"""Tensors as objects of the program: which one stands for which handle, and which handles
the program has given up."""

from collections import deque
from weakref import ref

objects = {}  # handle -> weak reference to the tensor
dead = []  # what else is no more: nodes by handle, other things by negative number
era = 0  # goes up when what is known of gradients may not be so any more


class Tensor:
    """What all tensors have; torch.Tensor adds the rest.

    _h is the handle, a whole number: negative if it is of our own. _m is the meta, _g is
    what _gradients knows. _v is set when the tensor may have views: a message that had it
    may have been waited for. __del__ is the finalizer of this tensor alone; _kept has those
    that are not nothing."""

    __slots__ = ("_h", "_m", "_g", "_v", "__del__", "__dict__", "__weakref__")


class Known(ref):
    """The weak reference to a tensor. When the tensor goes it ends up in fallen,
    without a step of Python in which a signal handler of the program could run."""

    __slots__ = ("handle",)


nothing = [].clear  # in C: a signal handler of the program cannot run in it

MOST_GONE = 100000  # in one message
fallen = deque()  # references to tensors that are gone
fall = fallen.append


def know(t, h, m):
    """Makes t the tensor of a handle, with a meta."""
    if h in objects:
        doubt()  # another object was the tensor until now
    t._h = h
    t._m = m
    t._g = None
    t._v = True
    t.__del__ = nothing
    objects[h] = known = Known(t, fall)
    known.handle = h


finalizers = []  # of tensors that are looked after: _kept's, until the program is at its end


def look_after(t):
    """The object of t is to live as long as the tensor."""
    t.__del__ = lambda h=t._h, finalizers=finalizers: [f(h) for f in finalizers]


def give_up():
    """The handle of the first tensor in fallen; 0 if there is none, or if another object has
    the handle now."""
    if not fallen:
        return 0  # a signal handler was faster
    known = fallen.popleft()
    h = known.handle
    if objects.get(h) is not known:
        return 0
    del objects[h]
    return h


def doubt():
    """Nothing is known of gradients any more."""
    global era
    era += 1
