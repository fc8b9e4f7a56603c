"""What the program's global variables hold at its end.

GRADTUI_VARIABLES lists the names that gradtui asks for. Of a tensor, a tuple or
list of tensors, or a dict with tensors as values, the engine gets the tensors.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # typing is not imported for it
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any


def report(names: Iterable[str], call: Callable[..., Any], tensor: type) -> None:
    """Gives the engine what the variables with these names hold."""
    variables = vars(sys.modules["__main__"])
    for name in names:
        if name in variables:
            value = variables[name]
            mapping = isinstance(value, dict)
            found = [(k, t) for k, t in value.items() if isinstance(t, tensor)] if mapping else list(_tensors(value, tensor))
            keys, tensors = [str(k) for k, _ in found], [t for _, t in found]
            call("program.variable", (name, type(value).__name__, mapping, keys, tensors))


def _tensors(value: Any, tensor: type) -> Iterator[tuple[str, Any]]:
    if isinstance(value, tensor):
        yield "", value
    elif isinstance(value, (tuple, list)):
        for v in value:
            yield from _tensors(v, tensor)
