"""The forward passes of modules, and the names of modules.

A module's path is that from the outermost module of the thread which runs. It is
found in _modules, as named_modules would, but without running code of the program.
"""

import sys
from threading import get_ident
from weakref import ref

from . import names
from .stacks import pending

_MOST = 10_000  # modules of a tree

_running = {}  # thread -> modules whose forward passes run, outermost first
_known = {}  # id of a module -> where it was last seen: see _find
_LEFT = ("leave",)
_attribute = object.__getattribute__


def enter(module):
    """The forward pass of a module begins; its __call__ calls this."""
    ident = get_ident()
    running = _running.get(ident)
    if running is None:
        names.module(module, sys._getframe(2))
        _running[ident] = [module]
        pending.append(("enter", "", type(module).__name__))
        return
    known = _known.get(id(module))
    if known is None or not _holds(known, running[0], module):
        known = _find(running[0], module)
    running.append(module)
    pending.append(known[3])


def leave():
    """The forward pass of the innermost module of the thread is over."""
    ident = get_ident()
    running = _running[ident]
    running.pop()
    if not running:
        del _running[ident]
    pending.append(_LEFT)


def _holds(known, root, module):
    """Whether a module is still where it was last seen."""
    if known[0]() is not root:
        return False
    if known[1] is None:
        return True
    parent = known[1]()
    return parent is not None and _attribute(parent, "__dict__")["_modules"].get(known[2]) is module


def _find(root, module):
    """Where a module is below a root: the root, the module that holds it, its key
    there, and the record of its forward pass. The root itself and a module that is
    nowhere below have no path."""
    for found, keys, parent in walk(root):
        path = ".".join(keys)
        record = ("enter", path, type(found).__name__)
        _known[id(found)] = where = (ref(root), ref(parent), keys[-1], record)
        if found is module:
            return where
    _known[id(module)] = where = (ref(root), None, None, ("enter", "", type(module).__name__))
    return where


def children(module):
    """The modules directly inside of a module, by name."""
    try:
        return object.__getattribute__(module, "__dict__").get("_modules") or {}
    except AttributeError:
        return {}


def walk(root):
    """The modules below a root with their paths and what holds them, near ones first."""
    if len(_known) > _MOST:
        _known.clear()
    seen = {id(root)}
    level = [(root, ())]
    while level and len(seen) < _MOST:
        below = []
        for module, keys in level:
            for key, child in children(module).items():
                if child is not None and id(child) not in seen:
                    seen.add(id(child))
                    below.append((child, keys + (key,), module))
        yield from below
        level = [(child, keys) for child, keys, _ in below]
