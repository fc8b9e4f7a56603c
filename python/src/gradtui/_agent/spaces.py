"""The namespaces that a program sees at a place, for names of what exists there.

Each comes with the scope of its names, as in names.
"""

from __future__ import annotations

import sys
import types
from sys import getrefcount

from . import stacks

TYPE_CHECKING = False  # typing is not imported for it
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType, FrameType
    from typing import Any

    from .names import Space


def around(frame: FrameType | None) -> list[Space]:
    """The namespaces that a program sees from a frame, with the scopes of their names: the
    variables of functions that run, innermost first, then the variables of modules and of
    the program."""
    found: list[Space] = []
    modules: dict[int, dict[str, Any]] = {}
    while frame is not None:
        if not stacks.ours(frame.f_code):
            found.extend(_of_function(frame))
            modules.setdefault(id(frame.f_globals), frame.f_globals)
        frame = frame.f_back
    main = sys.modules.get("__main__")
    if main is not None:
        modules.setdefault(id(main.__dict__), main.__dict__)
    return found + [of_module(m) for m in modules.values()]


def of_module(variables: dict[str, Any]) -> Space:
    """The namespace of a module, with the scope of its names."""
    name = dict.get(variables, "__name__")
    return variables, name if type(name) is str and name != "__main__" else ""


def parameters(function: object) -> tuple[str, ...]:
    """The names of the positional parameters of a function."""
    if type(function) is not types.FunctionType:
        return ()
    return function.__code__.co_varnames[: function.__code__.co_argcount]


def of_call(function: object, variables: dict[str, Any]) -> tuple[Space, ...]:
    """The namespaces that a function will see, with the scopes of their names: its known
    variables, and its module's."""
    if type(function) is not types.FunctionType:
        return ()
    return (variables, _scope(function.__code__)), of_module(function.__globals__)


def _scope(code: CodeType) -> str:
    return getattr(code, "co_qualname", code.co_name)


def _of_function(frame: FrameType) -> Iterator[Space]:
    """The variables of a function that runs, those that it shares with one around it apart."""
    own = variables(frame)
    if not own:
        return
    code = frame.f_code
    scope = _scope(code)
    if code.co_name == "<module>":  # of exec, with variables of its own
        yield own, of_module(frame.f_globals)[1]
        return
    shared = {name: own[name] for name in code.co_freevars if name in own}
    yield {name: value for name, value in own.items() if name not in shared}, scope
    yield shared, scope.rpartition(".<locals>.")[0]


_OPTIMIZED = 1  # the flag of code whose variables are not in a dict

# Before Python 3.13 f_locals of such a frame is a copy, which the frame keeps and locals()
# returns, too. A function that may have asked for it would see what came since, and a trace
# function may have it written back.
_COPIED = sys.version_info < (3, 13)
_ASKING = {"eval", "exec", "f_locals", "locals", "vars"}
_UNSHARED = 3  # references to the copy, if only the frame and a function here have it


def variables(frame: FrameType) -> dict[str, Any] | None:
    """The variables of a function that runs, as long as asking for them changes nothing."""
    code = frame.f_code
    if not code.co_flags & _OPTIMIZED:  # the body of a class, say
        own = frame.f_locals
        return own if type(own) is dict and own is not frame.f_globals else None
    if not _COPIED:
        return dict(frame.f_locals)
    if sys.gettrace() is not None or not _ASKING.isdisjoint(code.co_names):
        return None
    copy = frame.f_locals
    found = dict(copy)
    if getrefcount(copy) == _UNSHARED:
        copy.clear()  # it would keep alive what the program drops
    return found
