"""Names of the results of operations.

The names of what an operation returns are found once for each stack, in the
bytecode that follows the operation: `y` in `y = torch.add(a, b)`, and also in
`y = f(x)` where f ends with `return a + b`. They are tuples

    (path, name, scope, until)

path is empty for the result itself, (1,) for its element 1, (1, 0) for the first
element of that. scope is the function, class or module that the name belongs to, ""
for the program's own global variables. until is 0 if the name holds at once, or
the number of the stack that the program has to leave before: what runs on top of
that stack comes before the assignment. If the operation itself runs at the stack
`until` again, with nothing else in between, its earlier result gets no name.
"""

from __future__ import annotations

import types

from . import bytecode

TYPE_CHECKING = False  # typing is not imported for it
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType

    from .stacks import CallSite

    Name = tuple[tuple[int, ...], str, str, int]

_GENERATOR = 0x20 | 0x80 | 0x200
_NOTHING = object()

# Functions of C that run operators and return the result of one of them.
_PASS = {"abs", "divmod", "getattr", "pow", "round", "sum"}
# Those that do so for many operands and return the last result.
_LAST = {"sum"}
# Methods and functions of C, called as an attribute, that return something else.
_OTHERS = {
    *("accumulate", "bisect", "bisect_left", "bisect_right", "count", "filter", "heappop", "heappush"),
    *("index", "insort", "map", "reduce", "remove", "sorted", "starmap", "sub", "subn"),
}


def of_call_site(site: CallSite, frame: FrameType | None) -> tuple[Name, ...]:
    """The names of what an operation at a site returns. The frame is there now."""
    found: list[Name] = []
    value = bytecode.Value()
    innermost = True
    later = False
    while frame is not None and site.activation is not None and site.activation.exact:
        activation = site.activation
        run = bytecode.Run(activation.code, site.lasti, frame.f_globals)
        run.follow(value)
        if not _direct(run, frame):
            break
        last = isinstance(run.callee, bytecode.Expression) and run.callee.leaf in _LAST
        if innermost:
            site.callee = run.callee
        if not activation.ours:
            for path, place, after in run.stores:
                if place.text != "_":
                    until = site.number if later or after or last else 0
                    found.append((path, place.text, place.scope, until))
        if run.returned is None or activation.code.co_flags & _GENERATOR:
            break
        innermost = False
        later = later or run.later or last
        value = run.returned
        site = activation.caller
        frame = frame.f_back
    return tuple(found)


def _direct(run: bytecode.Run, frame: FrameType) -> bool:
    """Whether what the last function or operator returns is the result of the instruction."""
    callee = run.callee
    if not isinstance(callee, bytecode.Expression):
        return True
    if callee.root != "global":
        return callee.leaf not in _OTHERS
    function = frame.f_globals.get(callee.leaf, _NOTHING)
    if function is _NOTHING:
        function = frame.f_builtins.get(callee.leaf)
    if type(function) is types.BuiltinFunctionType:
        return callee.leaf in _PASS or function.__module__ == "_operator"
    if type(function) is type:
        return function.__module__ != "builtins"
    return True


def flat(found: Sequence[Name]) -> tuple[tuple[int, str, str, int], ...]:
    """The names of the results of an operation of the engine, which do not nest:
    (position, name, scope, until), where -1 stands for the only result."""
    return tuple((n[0][0] if n[0] else -1,) + n[1:] for n in found if len(n[0]) < 2)
