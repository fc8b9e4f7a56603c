"""The text of code that is in no file.

gradtui reads the files that call stacks name. What it cannot read comes from here: the
cells of a notebook, the modules in an archive such as app.pyz, and files that run with another
text than they have.

    ("source", file, text)

is reported once, before the first call stack that names the file.
"""

from __future__ import annotations

from os.path import exists

from .imports import standard

TYPE_CHECKING = False  # typing is not imported for it
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any

_LONGEST = 1 << 20  # characters of one text
_MOST = 16 << 20  # of all of them

_known: set[str] = set()  # names that were looked at
_left = _MOST
instead: dict[str, str] = {}  # texts with which files run instead of their own


def report(file: str, frame: FrameType | None, pending: list[Any]) -> None:
    """Reports the text of a file that does not exist, or does not have it. frame runs the code, if it is known."""
    global _left
    if file in _known:
        return
    _known.add(file)
    try:
        text = instead.get(file)
        if text is None and exists(file):
            return
        if text is None:
            text = "".join(standard("linecache").getlines(file, None if frame is None else frame.f_globals))
    except Exception:  # near the end of the stack, or a loader of the program has failed
        return
    if 0 < len(text) <= min(_LONGEST, _left):
        _left -= len(text)
        pending.append(("source", file, text))


def tell(file: str, text: str, pending: list[Any]) -> None:
    """Reports the text of code that has no file, under a name that was not used yet."""
    _known.add(file)
    pending.append(("source", file, text))


def reset() -> None:
    """Forgets what was reported: another gradtui needs all of it again."""
    global _left
    _known.clear()
    _left = _MOST
