"""Facts about what is not an operation: at which line of the program they happen, and whether
gradtui wants the program to stop there."""

from __future__ import annotations

import sys

from .._agent import stacks
from . import ops, tensors, wire
from .wire import pending

TYPE_CHECKING = False  # typing is not imported for it
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any

    from torch import Tensor

    from .._agent.stacks import CallSite

_getframe = sys._getframe


def active() -> bool:
    """Whether what happens now is recorded."""
    return wire.on and not (ops.paused and ops.off())


def number_of(t: Tensor) -> int:
    """The number of a tensor in records."""
    if t.__class__ in tensors.OWN and not ops.modes:
        return ops.seen_before(t).n
    with ops.undisturbed():
        return ops.seen_before(t).n


def has_graph(t: Tensor) -> bool:
    """Whether a tensor is known to require grad, and not a parameter."""
    r = tensors.known(t)
    return r is not None and r.sort.wants != 0 and not isinstance(t, tensors.Parameter)


def here() -> CallSite:
    """The CallSite where a function of ours was called."""
    return stacks.find(caller())


def caller() -> FrameType:
    """The innermost frame that is not ours."""
    frame = _getframe(1)
    while frame.f_code.co_filename.startswith(stacks.PACKAGE):
        frame = frame.f_back
    return frame


def note(kind: str, *values: Any) -> None:
    """Notes a fact at the line where a function of ours was called."""
    pending.append(("note", kind, here().number, values))
    stop_if_asked()


def record_at(site: CallSite, *record: Any) -> None:
    """Records something that happens at a site, whose number is the last part."""
    ops.put(record + (site.number,))
    stop_if_asked(site)


def stop_if_asked(site: CallSite | None = None) -> None:
    """Waits for gradtui if it wants the program to stop here."""
    if ops.stop_all or wire.attention[0] or site is not None and site.stop:
        wire.sync()
