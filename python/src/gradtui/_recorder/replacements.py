"""What takes the place of attributes, and how that is undone."""

from __future__ import annotations

import ctypes
import functools
import gc

TYPE_CHECKING = False  # typing is not imported for it
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

_undo: list[Callable[[], object]] = []  # functions that put things back
in_python = False  # whether what is replaced now is written in Python


def put(owner: Any, name: str, value: Any) -> None:
    """Sets an attribute until everything is put back."""
    had = name in vars(owner)
    before = vars(owner).get(name)

    def back():
        if had:
            setattr(owner, name, before)
        else:
            delattr(owner, name)

    setattr(owner, name, value)
    _undo.append(back)
    if in_python:
        _lifted.append((back, functools.partial(setattr, owner, name, value)))


_lifted: list[tuple[Callable[[], object], Callable[[], object]]] = []  # (function that puts it back, function that replaces it again)
_lifts = 0


def lift() -> None:
    """Puts what is written in Python back, until lower is called as often."""
    global _lifts
    _lifts += 1
    if _lifts == 1:
        for back, _ in reversed(_lifted):
            back()


def lower() -> None:
    global _lifts
    _lifts -= 1
    if _lifts == 0:
        for _, again in _lifted:
            again()


def installed() -> bool:
    """Whether functions of torch are replaced."""
    return bool(_undo)


def put_in_class(cls: type, functions: Iterable[tuple[str, Any]]) -> None:
    """Sets static methods of a class that C has made, which refuses that. C code looks
    functions up there when it hands them to a __torch_function__."""
    space = gc.get_referents(vars(cls))[0]
    before = {name: space[name] for name, _ in functions}
    space.update((name, staticmethod(call)) for name, call in functions)
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(cls))

    def back():
        space.update(before)
        ctypes.pythonapi.PyType_Modified(ctypes.py_object(cls))

    _undo.append(back)


def on_removal(function: Callable[[], object]) -> None:
    """Calls a function when everything is put back."""
    _undo.append(function)


def remove() -> None:
    """Puts everything back."""
    del _lifted[:]
    while _undo:
        _undo.pop()()
