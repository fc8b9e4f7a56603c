"""Signal handlers of the program.

Python runs a handler between any two instructions, also of ours, and what the handler
raises would leave a record half done. So while the program is recorded a `Handler` stands
in front of each, which lets a signal come again until the recorder has finished. A program
that asks for its handlers gets its own.
"""

from __future__ import annotations

import _signal
import os
import sys
from _signal import set_wakeup_fd
from _thread import interrupt_main

from .._agent import stacks
from .._agent.unseen import unseen
from . import wire

TYPE_CHECKING = False  # typing is not imported for it
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType, FrameType
    from typing import Any

OURS = (stacks.PACKAGE + "_agent/", stacks.PACKAGE + "_recorder/")  # not gradtui's public functions, which wait for gradtui
late: list[int] = []  # numbers of signals that came while the recorder was at work

possible = sys.version_info >= (3, 10)  # Python 3.9 looks for signals everywhere
_set, _get = _signal.signal, _signal.getsignal
_LIBRARY = os.path.join(os.path.dirname(os.__file__), "")
_PACKAGES = (os.path.join(_LIBRARY, "site-packages", ""), os.path.join(_LIBRARY, "dist-packages", ""))
INSTEAD = stacks.PACKAGE + "_recorder/importlib._bootstrap"  # the file of functions that run what they have taken the place of
torch: str | tuple[()] = ()  # the folder of PyTorch


class Handler:
    """Stands in front of a handler of the program."""

    __slots__ = ("handler",)

    def __init__(self, handler: Any) -> None:
        self.handler = handler

    @unseen
    def __call__(self, number, frame):
        if at_work(frame):
            late.append(number)
            waits = set_wakeup_fd(-1)  # who waits for signals there has heard of it
            _raise[number]
            _waken[waits]
            return None
        return self.handler(number, frame)


def at_work(frame: FrameType | None) -> bool:
    """Whether a frame belongs to a function of ours that must not be left now, or to a function
    of Python's library or PyTorch that such a function has called."""
    inside = False
    while frame is not None and _of_library(frame.f_code):
        frame = frame.f_back
        inside = True
    if frame is None:
        return False
    code = frame.f_code
    file = code.co_filename
    return file.startswith(OURS) and code not in wire.WAITING and not (inside and file == INSTEAD)


def _of_library(code: CodeType) -> bool:
    file = code.co_filename
    if code.co_name == stacks.MARK:
        return False
    return file.startswith(torch) or file.startswith(_LIBRARY) and not file.startswith(_PACKAGES)


def land() -> None:
    """Lets handlers run before an operation returns: where it is C that the program calls,
    Python looks for signals then."""
    late.clear()


wire.WAITING.add(land.__code__)


class _Raise:
    """_raise[number] lets a signal come again. Python looks for signals after calls, but not
    after this."""

    __getitem__: Any = interrupt_main


class _Waken:
    """_waken[fd] is set_wakeup_fd(fd), likewise."""

    __getitem__: Any = set_wakeup_fd


_raise, _waken = _Raise(), _Waken()


def _own(handler: Any) -> Any:
    """The program's handler."""
    return handler.handler if type(handler) is Handler else handler


def signal(number, handler, /):
    """Takes the place of _signal.signal."""
    return _own(_set(number, Handler(handler) if possible and callable(handler) else handler))


def getsignal(number, /):
    """Takes the place of _signal.getsignal."""
    return _own(_get(number))


def guard() -> None:
    """Puts a Handler in front of each handler that there is."""
    if possible:
        _each(lambda h: Handler(h) if callable(h) and type(h) is not Handler else h)


def unguard() -> None:
    """Undoes that."""
    _each(_own)


def _each(change: Callable[[Any], Any]) -> None:
    for number in _signal.valid_signals():
        handler = _get(number)
        other = change(handler)
        if other is not handler:
            try:
                _set(number, other)
            except ValueError:  # only the main thread can
                return
