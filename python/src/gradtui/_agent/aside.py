"""What the program computes for an answer to the debugger (asking) is not part of its run."""

from __future__ import annotations

from _thread import get_ident

reading = 0  # how many answers are at work for which the program has to stay as it is
asker = 0  # the thread that answers


class Refused(BaseException):
    """An expression would change the program. No except clause of the program is for it."""


def quiet() -> bool:
    """Whether this thread computes something that is not part of the run."""
    return reading > 0 and get_ident() == asker


def refuse(what: str) -> None:
    """Refuses what would change the program, if it is to stay as it is."""
    if quiet():
        raise Refused(what)
