"""Facts that the engine itself does not see. Each becomes an event of the tape:

    ("note", kind, stack, values)

A tensor is given by its handle.
"""

from __future__ import annotations

from opcode import opmap

from . import stacks

TYPE_CHECKING = False  # typing is not imported for it
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import Any, TypeVar

    Raised = TypeVar("Raised", bound=BaseException)


def handle(t: Any) -> Any:
    """What messages carry for a tensor; the recorder of PyTorch replaces it."""
    return complex(t._h)


after: Callable[[], object] = int  # is called after each note

_LONGEST = 2000  # characters of a message
_RAISE = opmap["RAISE_VARARGS"]

# The files that raise errors of the engine, which has noted them.
engine: set[str] = set()
own: tuple[type[BaseException], ...] = ()  # exceptions that PyTorch does not have
_noted = ("", "")  # type and text of the newest error that is noted


def note(kind: str, *values: Any, skip: int = 1) -> None:
    """Notes a fact at the program's line: skip is the number of innermost frames that
    are left out."""
    stacks.pending.append(("note", kind, stacks.here(skip + 1), values))
    after()


def raised(error: Raised, *tensors: Any) -> Raised:
    """Notes an error that our Python files are about to raise, and returns it."""
    global _noted
    _noted = type(error).__name__, str(error)[:_LONGEST]
    values = *_noted, [handle(t) for t in tensors]
    stacks.pending.append(("note", "raised", stacks.here(2), values))
    return error


def _raised_at(tb: TracebackType) -> stacks.CallSite:
    """The CallSite that raised. The frame may have gone on to an except clause that let the
    exception pass."""
    site = stacks.find(tb.tb_frame)
    activation = site.activation
    if activation is None or not activation.exact or activation.code is not tb.tb_frame.f_code:
        return site
    return activation.sites.get(tb.tb_lasti) or activation.at(tb.tb_lasti, tb.tb_frame)


def _innermost(tb: TracebackType) -> TracebackType:
    while tb.tb_next is not None:
        tb = tb.tb_next
    return tb


def failed(error: BaseException, tb: TracebackType | None, whole: TracebackType | None) -> None:
    """Notes an uncaught exception. tb is its traceback without our frames, whole with them."""
    if tb is None or whole is None:
        return
    tb, whole = _innermost(tb), _innermost(whole)
    try:
        values = type(error).__name__, str(error)[:_LONGEST]
        number = _raised_at(tb).number
    except Exception:  # code of the program has failed again
        return
    code = whole.tb_frame.f_code
    refused = stacks.ours(code) and code.co_code[whole.tb_lasti] == _RAISE  # torch's Python code has raised it
    if refused and code.co_filename not in engine and values != _noted and not isinstance(error, own):
        stacks.pending.append(("note", "raised", number, values))
    stacks.pending.append(("note", "failed", number, values))
