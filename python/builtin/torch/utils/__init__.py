"""Tools of many kinds."""

import weakref
from importlib import import_module

from .. import _objects
from .._namespace import missing
from . import hooks

# Parts that are loaded when they are asked for.
_PARTS = ("data", "_pytree")

_lacking = missing(__name__)


def __getattr__(name):
    return import_module("torch.utils." + name) if name in _PARTS else _lacking(name)


def set_module(obj, mod):
    """Says which module an object belongs to."""
    if not isinstance(mod, str):
        raise TypeError("The mod argument should be a string")
    obj.__module__ = mod


def swap_tensors(t1, t2):
    """Swaps what two tensors are; both objects keep their identity."""
    for name, t in (("t1", t1), ("t2", t2)):
        # One reference is the engine's own.
        if weakref.getweakrefcount(t) > 1:
            raise RuntimeError(f"Cannot swap {name} because it has weakref associated with it")
    t1.__class__, t2.__class__ = t2.__class__, t1.__class__
    t1.__dict__, t2.__dict__ = t2.__dict__, t1.__dict__
    known1, known2 = (t1._h, t1._m), (t2._h, t2._m)
    _objects.know(t1, *known2)
    _objects.know(t2, *known1)
