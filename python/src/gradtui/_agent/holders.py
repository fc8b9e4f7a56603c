"""Where the program keeps tensors.

Names of variables are known when operations run. What is in lists, dicts, objects and
functions is looked for between iterations: when the forward pass of an outermost module
begins after a backward pass or a step of an optimizer. In a program without modules,
the next backward pass takes its place; in one that runs no backward pass, every forward pass counts. The
first few times are looked at, and then the 8th, 16th, 32nd. A search begins at the variables of the functions
that run and of the program's modules. It calls no code of the program, and ends after so many objects.
"""

from __future__ import annotations

import functools
import re
import sys
import types
from collections import deque
from itertools import islice
from os.path import dirname

from . import aside, names, notes, spaces, stacks

TYPE_CHECKING = False  # typing is not imported for it
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator
    from types import FrameType
    from typing import Any

    Place = tuple[str, str, str, Any]  # path, scope of its variable, class of the object with its last attribute, what is there

graph: Callable[[Any], bool] = bool  # whether a tensor requires grad and is not a parameter

_DEEPEST = 6
_MOST_OBJECTS = 5_000  # of a search
_MOST_PLACES = 64  # that a search finds
_MOST_OF_ONE = 4  # places of one tensor
_MOST_ELEMENTS = 8  # at either end of a container
_MOST_ATTRIBUTES = 200
_MOST_MODULES = 50
_FIRST = 4  # searches before their distance grows
_ALONE = 4  # forward passes before the first search in a program without backward passes

_turned = False  # whether a backward pass or a step came after the last forward pass of an outermost module
_turns = 0
_alone = 0


def reset() -> None:
    """Forgets how many iterations there were."""
    global _turned, _turns, _alone
    _turned, _turns, _alone = False, 0, 0


def forward(frame: FrameType) -> None:
    """The forward pass of an outermost module begins, which a frame of the program has called."""
    global _turned, _alone
    if aside.quiet():
        return
    if _turned:
        _turned = False
        _turn(frame)
    elif _turns == 0:
        _alone += 1
        if _alone >= _ALONE and _power(_alone):
            report(frame)


def backward() -> None:
    """A backward pass begins, which a function of ours was called for."""
    global _turned
    if aside.quiet():
        return
    if _turned:
        frame = sys._getframe(1)
        while stacks.ours(frame.f_code) and frame.f_back is not None:
            frame = frame.f_back
        _turn(frame)
    _turned = True


def step() -> None:
    """An optimizer has updated parameters."""
    global _turned
    _turned = True


def _turn(frame: FrameType) -> None:
    global _turns
    _turns += 1
    if _turns <= _FIRST or _power(_turns):
        report(frame)


def _power(n: int) -> bool:
    return n & (n - 1) == 0


def report(frame: FrameType) -> None:
    """Notes where the program keeps tensors with a graph."""
    try:
        found = list(islice(_search(frame), _MOST_PLACES))
        number = stacks.find(frame).number
        for path, scope, owner, value in found:
            stacks.pending.append(("note", "held", number, (notes.handle(value), path, scope, owner)))
    except Exception:  # a tensor that its class has not finished, or near the end of the stack
        return
    if found:
        notes.after()


def _search(frame: FrameType) -> Iterator[Place]:
    """The places of tensors with a graph, near ones first."""
    level: list[Place] = [(name, scope, "", value) for space, scope in _spaces(frame) for name, value in list(space.items()) if names._public(name)]
    seen: set[int] = set()
    places: dict[int, int] = {}
    with_graph: dict[int, bool] = {}
    for _ in range(_DEEPEST):
        below: list[Place] = []
        for place in level:
            value = place[3]
            key = id(value)
            if names._is(value, names.tensor):
                if key not in with_graph:
                    with_graph[key] = graph(value)
                if with_graph[key] and places.get(key, 0) < _MOST_OF_ONE:
                    places[key] = places.get(key, 0) + 1
                    yield place
            elif key not in seen and len(seen) < _MOST_OBJECTS and type(value) not in _PLAIN:
                seen.add(key)
                below.extend(_parts(*place))
        level = below


def _spaces(frame: FrameType | None) -> list[tuple[dict[str, Any], str]]:
    """The variables of the program's functions that run, outermost first, and of its modules. What an
    argument gives to an inner function has a place in an outer one, where it stays."""
    found: list[tuple[dict[str, Any], str]] = []
    while frame is not None:
        if not foreign(frame.f_code.co_filename) and not stacks.ours(frame.f_code):
            found[:0] = spaces._of_function(frame)
        frame = frame.f_back
    main = sys.modules.get("__main__")
    folder = dirname(getattr(main, "__file__", None) or "")
    modules = [m for m in list(sys.modules.values()) if type(m) is types.ModuleType and m is not main and _below(folder, m)]
    return found + [spaces.of_module(m.__dict__) for m in ([main] if main is not None else []) + modules[:_MOST_MODULES]]


def _below(folder: str, module: types.ModuleType) -> bool:
    """Whether a module is a file of the program."""
    file = dict.get(module.__dict__, "__file__")
    return type(file) is str and bool(folder) and file.startswith(folder) and not foreign(file) and not file.startswith(stacks.FILES)


# Files that came with Python or were installed.
_LIBRARY = re.compile(r"[/\\](?:site-packages|dist-packages|lib[/\\]python3[^/\\]*)[/\\]")


@functools.lru_cache(1000)
def foreign(file: str) -> bool:
    return _LIBRARY.search(file) is not None or file.startswith("<frozen ")


# What has no parts.
_PLAIN = frozenset((type(None), bool, int, float, complex, str, bytes, types.BuiltinFunctionType, types.ModuleType))


def _parts(path: str, scope: str, owner: str, value: Any) -> Iterator[Place]:
    """What an object consists of. Where a path cannot lead on, another one begins: at a variable that
    a function keeps."""
    cls = type(value)
    if cls is types.FunctionType:
        yield from _of_function(value)
    elif cls is types.MethodType:
        yield "self", getattr(value.__func__, "__qualname__", ""), "", value.__self__
    elif cls is functools.partial:
        yield path + ".func", scope, owner, value.func
        yield path + ".args", scope, owner, value.args
        yield path + ".keywords", scope, owner, value.keywords
    elif cls is types.GeneratorType:
        running = value.gi_frame
        for space, inside in spaces._of_function(running) if running is not None else ():
            for name, item in space.items():
                yield name, inside, "", item
    elif names._is(value, (list, tuple, deque)):
        n = (list if names._is(value, list) else tuple if names._is(value, tuple) else deque).__len__(value)
        for i in _ends(range(n)):
            get = list.__getitem__ if names._is(value, list) else tuple.__getitem__ if names._is(value, tuple) else deque.__getitem__
            yield "%s[%d]" % (path, i), scope, owner, get(value, i)
    elif names._is(value, dict):
        for key in _ends(list(dict.keys(value))):
            if type(key) in (str, int):
                yield "%s[%r]" % (path, key), scope, owner, dict.get(value, key)
            elif type(key) in (tuple, bool, float):
                yield path + "[...]", scope, owner, dict.get(value, key)
    elif names._is(value, (set, frozenset)):
        for item in islice(set.__iter__(value) if names._is(value, set) else frozenset.__iter__(value), 2 * _MOST_ELEMENTS):
            yield path + "[...]", scope, owner, item
    elif names._is(value, type):
        if names._of_class["__flags__"](value) & names._HEAP_TYPE and not foreign(_file_of(value)):
            for name, item in list(names._of_class["__dict__"](value).items()):
                if names._public(name) and type(item) not in (types.FunctionType, property, staticmethod, classmethod, types.MemberDescriptorType):
                    yield "%s.%s" % (path, name), scope, value.__name__, item
    elif names._of_class["__flags__"](cls) & names._HEAP_TYPE:
        for key, item, _ in islice(names._attributes(value), _MOST_ATTRIBUTES):
            if type(item) not in _PLAIN:
                yield path + (".%s" if not key.isdigit() else "[%s]") % key, scope, cls.__name__, item


def _ends(items: Any) -> Collection[Any]:
    """The first and the last elements."""
    return items if len(items) <= 2 * _MOST_ELEMENTS else [*items[:_MOST_ELEMENTS], *items[-_MOST_ELEMENTS:]]


def _file_of(cls: type) -> str:
    module = sys.modules.get(names._of_class["__dict__"](cls).get("__module__", ""))
    return getattr(module, "__file__", None) or ""


def _of_function(function: types.FunctionType) -> Iterator[Place]:
    """What a function of the program keeps: variables of functions around it, and default arguments."""
    code = function.__code__
    if foreign(code.co_filename):
        return
    scope = function.__qualname__
    for name, cell in zip(code.co_freevars, function.__closure__ or ()):
        try:
            yield name, scope.rpartition(".<locals>.")[0], "", cell.cell_contents
        except ValueError:  # it is empty
            pass
    given = function.__defaults__ or ()
    for name, value in zip(code.co_varnames[code.co_argcount - len(given) : code.co_argcount], given):
        yield name, scope, "", value
    for name, value in (function.__kwdefaults__ or {}).items():
        yield name, scope, "", value
