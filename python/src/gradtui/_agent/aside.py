"""What the program computes for an answer to the debugger (asking) is not part of its run."""

from __future__ import annotations

from _thread import get_ident

TYPE_CHECKING = False  # typing is not imported for it
if TYPE_CHECKING:
    from typing import Any

reading = 0  # how many answers are at work for which the program has to stay as it is
asker = 0  # the thread that answers


class Refused(BaseException):
    """An expression would change the program. No except clause of the program is for it."""


def older(t: Any) -> bool:
    """Whether a tensor was there before an expression; the engine replaces this."""
    return t is not None


def quiet() -> bool:
    """Whether this thread computes something that is not part of the run."""
    return reading > 0 and get_ident() == asker


def refuse(what: str) -> None:
    """Refuses what would change the program, if it is to stay as it is."""
    if quiet():
        raise Refused(what)


def refuse_for(t: Any, what: str) -> None:
    """Refuses what would change a tensor of the program."""
    if quiet() and older(t):
        raise Refused(what)
