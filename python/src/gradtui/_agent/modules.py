"""The forward passes of modules, and the names of modules.

A module's path is that from the outermost module of the thread which runs. It is
found in _modules, as named_modules would, but without running code of the program.
"""

from __future__ import annotations

import sys
from threading import get_ident

from . import aside, holders, names, notes
from .stacks import pending

TYPE_CHECKING = False  # typing is not imported for it
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

_MOST = 10_000  # modules of a tree

version = 0  # torch.nn counts here how often modules were made or put elsewhere

_running: dict[int, list[Any]] = {}  # thread -> modules whose forward passes run, outermost first
_known: dict[int, tuple[int, int, tuple[str, str, str]]] = {}  # id of a module -> (version, id of its root, record of its forward pass)
_outermost: dict[int, int] = {}  # id of a module that ran as the outermost one -> version
_LEFT: tuple[str] = ("leave",)
put: Callable[[Any], object] = pending.append  # takes a record of the thread that runs


def enter(module: Any, skip: int = 2) -> list[Any]:
    """The forward pass of a module begins; its __call__ calls this, and leave with
    the result. skip is the number of frames up to the one that called the module."""
    if aside.quiet():
        return []
    ident = get_ident()
    running = _running.get(ident)
    if running is None:
        names.module(module, sys._getframe(skip))
        if _outermost.get(id(module)) != version:
            _registered(module)
        holders.forward(sys._getframe(skip))
        running = _running[ident] = [module]
        put(("enter", "", type(module).__name__, mode(module)))
        return running
    known = _known.get(id(module))
    if known is None or known[0] != version or known[1] != id(running[0]):
        known = _find(running[0], module)
    running.append(module)
    put(known[2] + (mode(module),))
    return running


def path() -> str:
    """The path of the innermost module whose forward pass runs in this thread; "" outside all and in an
    outermost one."""
    running = _running.get(get_ident())
    if not running or len(running) == 1:
        return ""
    known = _known.get(id(running[-1]))
    return "" if known is None else known[2][1]


def mode(module: Any) -> bool | None:
    """Whether a module trains, rather than is evaluated; None: it does not say."""
    try:
        trains = object.__getattribute__(module, "__dict__").get("training")
    except AttributeError:
        return None
    return trains if trains.__class__ is bool else None


def _registered(module: Any) -> None:
    """Notes the parameters of an outermost module."""
    if len(_outermost) > _MOST:
        _outermost.clear()
    _outermost[id(module)] = version
    notes.note("parameters", type(module).__name__, _parameters(module), skip=3)


def switched(module: Any, to: bool) -> None:
    """The program has called train() or eval() of a module."""
    aside.refuse("train()" if to else "eval()")
    notes.note("called", "Module.train" if to else "Module.eval", _parameters(module), skip=3)


def _parameters(module: Any) -> list[Any]:
    """The handles of the parameters of a module and of those inside it."""
    params: list[Any] = []
    for m in [module] + [found for found, _ in walk(module)]:
        try:
            own = object.__getattribute__(m, "__dict__").get("_parameters") or {}
            params.extend(notes.handle(p) for p in own.values() if p is not None)
        except AttributeError:  # a parameter that is none of ours
            pass
    return params


def leave(running: list[Any]) -> None:
    """The forward pass of the innermost module of the thread is over."""
    ident = get_ident()
    if _running.get(ident) is not running:
        return  # it was entered in another recording
    running.pop()
    if not running:
        del _running[ident]
    put(_LEFT)


def reset() -> None:
    """Forgets all modules."""
    _running.clear()
    _known.clear()
    _outermost.clear()


def _find(root: Any, module: Any) -> tuple[int, int, tuple[str, str, str]]:
    """Notes where the modules below a root are. The root itself and a module that is
    nowhere below have no path."""
    if len(_known) > _MOST:
        _known.clear()
    for found, keys in walk(root):
        record = ("enter", ".".join(keys), type(found).__name__)
        _known[id(found)] = version, id(root), record
    known = _known.get(id(module))
    if known is None or known[0] != version or known[1] != id(root):
        known = _known[id(module)] = version, id(root), ("enter", "", type(module).__name__)
    return known


def children(module: Any) -> dict[str, Any]:
    """The modules directly inside a module, by name."""
    try:
        return object.__getattribute__(module, "__dict__").get("_modules") or {}
    except AttributeError:
        return {}


def walk(root: Any) -> Iterator[tuple[Any, tuple[str, ...]]]:
    """The modules below a root with their paths, near ones first."""
    seen = {id(root)}
    level: list[tuple[Any, tuple[str, ...]]] = [(root, ())]
    while level and len(seen) < _MOST:
        below = []
        for module, keys in level:
            for key, child in children(module).items():
                if child is not None and id(child) not in seen:
                    seen.add(id(child))
                    below.append((child, keys + (key,)))
        yield from below
        level = below
