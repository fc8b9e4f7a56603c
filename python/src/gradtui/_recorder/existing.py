"""Names of the tensors that exist already when recording begins in the middle of a program.

No assignment of theirs is recorded. So the namespaces that the program sees are looked
through: when recording begins, for names that a tensor gets when it is met, and when it
ends, for the tensors that were met and have none of those.
"""

from __future__ import annotations

from .._agent import names, stacks
from . import amounts, tensors, values, wire
from .tensors import Ref

TYPE_CHECKING = False  # typing is not imported for it
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from torch import Tensor

    from .._agent.names import Space

MOST = 10_000  # tensors that wait to be met

_awaited: dict[int, tuple[Ref, list[tuple[str, str]]]] = {}  # id of a tensor -> (Ref without a number, [(name, scope)]: the best one last)
_named: set[int] = set()  # numbers of those that were met


def forget() -> None:
    """No tensor waits for its names any more."""
    _awaited.clear()
    _named.clear()


def expect(spaces: Iterable[Space]) -> None:
    """Keeps the names that tensors have in some namespaces until they are met."""
    for name, scope, t in names.scan(*spaces):
        known = _awaited.get(id(t))
        if known is None:
            if len(_awaited) == MOST:
                continue
            known = _awaited[id(t)] = Ref(t), []
        known[1].insert(0, (name, scope))


def awaited() -> list[Tensor]:
    """The tensors that wait to be met."""
    return [t for t in [ref() for ref, _ in _awaited.values()] if t is not None]


def met(t: Tensor, r: Ref) -> None:
    """Names a tensor that was just reported."""
    ref, found = _awaited.pop(id(t), _NOBODY)
    if ref() is not t:  # another one was at the same address
        return
    _named.add(r.n)
    for name, scope in found:
        wire.pending.append(("bind", r.n, name, scope))
        if amounts.rules:
            values.bound(r, name)
        if stacks.named(name):
            wire.attention[0] = 1


_NOBODY: Any = int, ()


def unnamed(spaces: Iterable[Space]) -> Iterator[tuple[Tensor, str, str]]:
    """The tensors in some namespaces that were met and got no name then, as (tensor, name,
    scope), the best name last."""
    for name, scope, t in reversed(list(names.scan(*spaces))):
        r = tensors.known(t)
        if r is not None and r.n not in _named:
            yield t, name, scope
