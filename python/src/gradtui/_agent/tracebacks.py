"""Tracebacks and warnings as if our torch package were written in C.

The frames of our files are left out of tracebacks, wherever they are printed: by
Python for uncaught exceptions, by threads, and by the traceback module for
print_exc, logging and others.
"""

from __future__ import annotations

import builtins
import functools
import sys
import threading
import traceback
import warnings
from types import TracebackType

from . import imports
from .notes import failed
from .stacks import FILES, MARK

TYPE_CHECKING = False  # typing is not imported for it
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import Any

_GROUP = getattr(builtins, "BaseExceptionGroup", ())


def hidden(frame: FrameType) -> bool:
    """Whether a frame is one of our files."""
    code = frame.f_code
    return code.co_filename.startswith(FILES) or code.co_name == MARK


def stripped(tb: TracebackType | None) -> TracebackType | None:
    """A traceback without our frames; unchanged if it has no others."""
    kept = []
    ours = False
    entry = tb
    while entry is not None:
        if hidden(entry.tb_frame):
            ours = True
        else:
            kept.append(entry)
        entry = entry.tb_next
    if not ours or not kept:
        return tb
    result = None
    for entry in reversed(kept):
        result = TracebackType(result, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return result


def strip(error: BaseException) -> None:
    """Strips the tracebacks of an exception that is about to be shown, and of those
    that it came from."""
    todo = [error]
    seen = set()
    while todo:
        e = todo.pop()
        if not isinstance(e, BaseException) or id(e) in seen:
            continue
        seen.add(id(e))
        if e.__traceback__ is not None:
            e.__traceback__ = stripped(e.__traceback__)
        context = e.__context__
        if context is not None and context.__traceback__ is not None and _inside(context.__traceback__):
            # It was raised and caught in our files.
            e.__context__ = context = None
        todo.append(e.__cause__)
        todo.append(context)
        if isinstance(e, _GROUP):
            todo.extend(e.exceptions)


def _inside(tb: TracebackType | None) -> bool:
    """Whether all frames of a traceback are ours."""
    while tb is not None:
        if not hidden(tb.tb_frame):
            return False
        tb = tb.tb_next
    return True


_show = sys.__excepthook__
_show_in_thread = threading.__excepthook__ if hasattr(threading, "__excepthook__") else threading.excepthook


def excepthook(kind: type[BaseException], error: BaseException, tb: TracebackType | None, /) -> None:
    """Displays an uncaught exception without our frames."""
    strip(error)
    whole, tb = tb, stripped(tb)
    failed(error, tb, whole)
    _show(kind, error, tb)


def thread_excepthook(args: Any, /) -> None:
    """Displays an exception that ended a thread without our frames."""
    strip(args.exc_value)
    tb = stripped(args.exc_traceback)
    failed(args.exc_value, tb, args.exc_traceback)
    _show_in_thread(threading.ExceptHookArgs((args.exc_type, args.exc_value, tb, args.thread)))


def install() -> None:
    """Makes tracebacks leave out our frames from now on."""
    if sys.excepthook is sys.__excepthook__:
        sys.excepthook = excepthook
    sys.__excepthook__ = excepthook
    if threading.excepthook is _show_in_thread:
        threading.excepthook = thread_excepthook
    if hasattr(threading, "__excepthook__"):
        threading.__excepthook__ = thread_excepthook
    traceback.walk_stack = _stack_without_ours(traceback.walk_stack)
    for name in ("walk_tb", "_walk_tb_with_full_positions"):
        walk = getattr(traceback, name, None)
        if walk is not None:
            setattr(traceback, name, _without_ours(walk))


def _without_ours(walk: Callable[..., Any]) -> Callable[..., Any]:
    def walker(tb):
        return walk(stripped(tb))

    walker.__name__ = walker.__qualname__ = walk.__name__
    walker.__module__ = walk.__module__
    walker.__doc__ = walk.__doc__
    return walker


def _stack_without_ours(walk: Callable[..., Any]) -> Callable[..., Any]:
    def walk_stack(f):
        frame = sys._getframe(1) if f is None else f
        return ((f, line) for f, line in walk(frame) if not hidden(f))

    return functools.update_wrapper(walk_stack, walk)


def warn(message: str, category: type[Warning] = UserWarning, inside: bool = False) -> None:
    """Issues a warning of the engine where the program called it, or inside torch."""
    if inside:
        functions = sys.modules["torch.autograd.graph"]
        registry = vars(functions).setdefault("__warningregistry__", {})
        warnings.warn_explicit(message, category, functions.__file__, 0, functions.__name__, registry)
        return
    frame = sys._getframe(1)
    inner = imports.builtin + "/torch"
    while frame.f_back is not None and frame.f_code.co_filename.startswith(inner):
        name = frame.f_code.co_filename[len(inner) + 1 :]
        if not name.startswith("_"):
            break  # it is in Python in PyTorch, too
        frame = frame.f_back
    variables = frame.f_globals
    warnings.warn_explicit(
        message,
        category,
        frame.f_code.co_filename,
        frame.f_lineno,
        variables.get("__name__") or "<string>",
        variables.setdefault("__warningregistry__", {}),
    )
