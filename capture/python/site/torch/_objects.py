"""Tensors as objects of the program: which one stands for which handle, and which handles
the program has given up."""

from weakref import ref

objects = {}  # handle -> weak reference to the tensor
dead = []  # handles of tensors that are no more, and of nodes and other things
era = 0  # goes up when what is known of gradients may not be so any more


class Tensor:
    """What all tensors have; torch.Tensor adds the rest."""

    __slots__ = ("_h", "_m", "_g", "__dict__", "__weakref__")


class Known(ref):
    """The weak reference to a tensor. When the tensor goes it ends up in fallen,
    without a step of Python in which a signal handler of the program could run."""

    __slots__ = ("handle",)


MOST_GONE = 100000  # in one message
fallen = []  # references to tensors that are no more
fall = fallen.append


def know(t, h, m):
    """Makes t the tensor of a handle, with a meta."""
    if h in objects:
        doubt()  # another object was the tensor until now
    t._h = h
    t._m = m
    t._g = None
    objects[h] = known = Known(t, fall)
    known.handle = h


def given_up():
    """The handles that the program has given up since the last message."""
    if len(fallen) == 1 and not dead:  # as in most cases
        references, gone = (fallen.pop(),), []
    else:
        references, gone = fallen[:MOST_GONE], dead[:MOST_GONE]
        del fallen[: len(references)], dead[: len(gone)]
    for known in references:
        h = known.handle
        if objects.get(h) is known:
            del objects[h]
            gone.append(h)
    return gone


def doubt():
    """Nothing is known of gradients any more."""
    global era
    era += 1
