"""How many leading elements are taken of tensors with certain names.

A rule has a regular expression, which is searched in names of tensors and paths of modules, and an
amount. The first rule that matches counts. A tensor keeps its rule, for its later values and for
its gradients.
"""

from __future__ import annotations

from .._agent import modules
from .._agent.imports import standard

TYPE_CHECKING = False  # typing is not imported for it
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from .._agent.stacks import CallSite
    from .tensors import Ref

rules: list[tuple[Any, int]] = []  # what finds a name, and the elements; empty: names do not matter
chosen: dict[int, int] = {}  # number of a tensor -> index of its rule
_nodes: dict[int, int] = {}  # sequence number of the node of such a tensor -> index of its rule
_found: dict[Any, int] = {}  # place -> index of the rule for what is made there; -1: none
_given: Sequence[Any] = ()
_MOST = 1 << 16  # nodes, and places

# NAME[0] and NAME['key'] as NAME.0 and NAME.key
_BRACKETS = r"\[['\"]?([^\]'\"]*)['\"]?\]"


def arm(given: Sequence[Any]) -> bool:
    """Takes rules as gradtui sends them; reports whether there are some."""
    global _given
    if given != _given:
        _given = given
        reset()
        re = standard("re")
        rules[:] = [(re.compile(expression), elements) for expression, elements in given]
        if rules:
            _dotted[:] = [re.compile(_BRACKETS)]
    return bool(rules)


_dotted: list[Any] = []


def reset() -> None:
    """Forgets all tensors."""
    chosen.clear()
    _nodes.clear()
    _found.clear()


def of(r: Ref, site: CallSite | None = None, index: int = -1) -> int:
    """The elements to take of a tensor; 0: as of others. site and index are where an operation has
    made it, as of values.value."""
    rule = chosen.get(r.n)
    if rule is None:
        if site is None:
            return 0
        place = site.number, index, modules.path()
        rule = _found.get(place)
        if rule is None:
            if len(_found) > _MOST:
                _found.clear()
            names = [name for path, name, _, _ in site.names if path == (() if index < 0 else (index,))]
            rule = _found[place] = _rule(names + [place[2]])
        if rule < 0:
            return 0
        _choose(r, rule)
    return rules[rule][1]


def bound(r: Ref, name: str) -> int:
    """A tensor gets a name: the elements to take now, which are more than have been; 0: none."""
    rule, before = _rule([name]), chosen.get(r.n, len(rules))
    if not 0 <= rule < before:
        return 0
    _choose(r, rule)
    elements = rules[rule][1]
    return elements if before == len(rules) or elements > rules[before][1] else 0


def inherit(g: Ref, r: Ref) -> None:
    """A gradient has the rule of its tensor."""
    rule = chosen.get(r.n)
    if rule is not None:
        chosen[g.n] = rule


def of_node(number: int) -> int:
    """The elements to take of the gradient for a node: a sequence number, or minus the number of a leaf."""
    rule = chosen.get(-number) if number < 0 else _nodes.get(number)
    return 0 if rule is None else rules[rule][1]


def _choose(r: Ref, rule: int) -> None:
    chosen[r.n] = rule
    if r.seq >= 0:
        if len(_nodes) > _MOST:
            _nodes.clear()
        _nodes[r.seq] = rule


def _rule(names: Iterable[str]) -> int:
    """The index of the first rule that is for something with these names; -1: none."""
    dotted = [_dotted[0].sub(r".\1", name) for name in names if name]
    return next((i for i, (expression, _) in enumerate(rules) if any(map(expression.search, dotted))), -1)
