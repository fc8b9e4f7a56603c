"""Which optimizer steps, and with which learning rates."""

from __future__ import annotations

from _weakref import ref

TYPE_CHECKING = False  # typing is not imported for it
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_MOST = 1000  # optimizers whose numbers are known

_known: dict[int, tuple[ref[Any], int]] = {}  # id of an optimizer -> (the optimizer, its number)
_last = 0


def number(optimizer: Any) -> int:
    """The number of an optimizer, counted from 1 in the order in which they are met."""
    global _last
    known = _known.get(id(optimizer))
    if known is not None and known[0]() is optimizer:
        return known[1]
    if len(_known) >= _MOST:
        for key in [key for key, (where, _) in _known.items() if where() is None] or list(_known):
            del _known[key]
    _last += 1
    _known[id(optimizer)] = ref(optimizer), _last
    return _last


def rates(groups: list[Mapping[str, Any]]) -> list[float]:
    """The learning rate of each group; NaN for one that is not a plain number."""
    return [float(lr) if type(lr) in (float, int) else float("nan") for lr in (group.get("lr") for group in groups)]


def reset() -> None:
    """Forgets all optimizers."""
    global _last
    _known.clear()
    _last = 0
