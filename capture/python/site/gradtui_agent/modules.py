"""The forward passes of modules, and the names of modules.

A module's path is that from the outermost module of the thread which runs. It is
found in _modules, as named_modules would, but without running code of the program.
"""

import sys
from threading import get_ident

from . import names
from .stacks import pending

_MOST = 10_000  # modules of a tree

_running = {}  # thread -> modules whose forward passes run, outermost first
_keys = {}  # id of a module -> its path from a root, as it was last seen


def enter(module):
    """The forward pass of a module begins; its __call__ calls this."""
    running = _running.setdefault(get_ident(), [])
    path = ""
    if running:
        path = _path(running[0], module)
    else:
        names.module(module, sys._getframe(2))
    running.append(module)
    pending.append(("enter", path, type(module).__name__))


def leave():
    """The forward pass of the innermost module of the thread is over."""
    ident = get_ident()
    running = _running[ident]
    running.pop()
    if not running:
        del _running[ident]
    pending.append(("leave",))


def _path(root, module):
    if module is root:
        return ""
    keys = _keys.get(id(module))
    if keys is None or _follow(root, keys) is not module:
        for found, keys in walk(root):
            _keys[id(found)] = keys
            if found is module:
                break
        else:
            return ""
    return ".".join(keys)


def _follow(module, keys):
    for key in keys:
        module = children(module).get(key)
    return module


def children(module):
    """The modules directly inside of a module, by name."""
    try:
        return object.__getattribute__(module, "__dict__").get("_modules") or {}
    except AttributeError:
        return {}


def walk(root):
    """The modules below a root with their paths, near ones first."""
    if len(_keys) > _MOST:
        _keys.clear()
    seen = {id(root)}
    level = [(root, ())]
    while level and len(seen) < _MOST:
        below = []
        for module, keys in level:
            for key, child in children(module).items():
                if child is not None and id(child) not in seen:
                    seen.add(id(child))
                    below.append((child, keys + (key,)))
        yield from below
        level = below
