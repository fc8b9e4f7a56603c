"""Which optimizer steps, with which learning rates, and what its schedulers plan."""

from __future__ import annotations

from _weakref import ref

TYPE_CHECKING = False  # typing is not imported for it
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_MOST = 1000  # objects whose numbers are known


class _Numbers:
    """Numbers for objects, counted from 1 in the order in which they are met."""

    def __init__(self) -> None:
        self.known: dict[int, tuple[ref[Any], int]] = {}  # id of an object -> (the object, its number)
        self.last = 0

    def of(self, thing: Any) -> int:
        known = self.known.get(id(thing))
        if known is not None and known[0]() is thing:
            return known[1]
        if len(self.known) >= _MOST:
            for key in [key for key, (where, _) in self.known.items() if where() is None] or list(self.known):
                del self.known[key]
        self.last += 1
        self.known[id(thing)] = ref(thing), self.last
        return self.last


_optimizers = _Numbers()
_schedulers = _Numbers()


def number(optimizer: Any) -> int:
    """The number of an optimizer."""
    return _optimizers.of(optimizer)


def rates(groups: list[Mapping[str, Any]]) -> list[float]:
    """The learning rate of each group; NaN for one that is not a plain number."""
    return [float(lr) if type(lr) in (float, int) else float("nan") for lr in (group.get("lr") for group in groups)]


_MOVING = "momentum", "weight_decay"


def settings(group: Mapping[str, Any]) -> list[Any]:
    """What moves the parameters of a group that have gradients of zero: a name before each value."""
    found: list[Any] = []
    for name in _MOVING:
        if type(value := group.get(name)) in (float, int):
            found += [name, float(value)]
    return found


_PLANNED = ("step_size", "milestones", "gamma", "T_max", "total_iters", "total_steps", "start_factor", "end_factor")


def plan(scheduler: Any, made: bool) -> list[Any]:
    """The number of a scheduler and, when it is made, its class and the numbers that it was given:
    a name before each value."""
    found: list[Any] = ["number", _schedulers.of(scheduler)]
    if made:
        found += ["class", type(scheduler).__name__]
        values = vars(scheduler)
        for name in _PLANNED:
            value = values.get(name)
            if name == "milestones" and value:
                found += [name, [n for n in sorted(value) if type(n) is int]]
            elif type(value) in (int, float):
                found += [name, value]
    return found


def reset() -> None:
    """Forgets all optimizers and schedulers."""
    global _optimizers, _schedulers
    _optimizers = _Numbers()
    _schedulers = _Numbers()
