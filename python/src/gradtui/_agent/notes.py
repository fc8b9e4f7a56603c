"""Facts that the engine itself does not see. Each becomes an event of the tape:

    ("note", kind, stack, values)

A tensor is given by its handle.
"""

from __future__ import annotations

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


def note(kind: str, *values: Any, skip: int = 1) -> None:
    """Notes a fact at the program's line: skip is the number of innermost frames that
    are left out."""
    stacks.pending.append(("note", kind, stacks.here(skip + 1), values))
    after()


def raised(error: Raised, *tensors: Any) -> Raised:
    """Notes an error that our Python files are about to raise, and returns it."""
    values = type(error).__name__, str(error)[:_LONGEST], [handle(t) for t in tensors]
    stacks.pending.append(("note", "raised", stacks.here(2), values))
    return error


def failed(error: BaseException, tb: TracebackType | None) -> None:
    """Notes an uncaught exception. tb is its traceback without our frames."""
    if tb is None:
        return
    while tb.tb_next is not None:
        tb = tb.tb_next
    try:
        text = str(error)[:_LONGEST]
        number = stacks.find(tb.tb_frame).number
    except Exception:  # code of the program has failed again
        return
    stacks.pending.append(("note", "failed", number, (type(error).__name__, text)))
