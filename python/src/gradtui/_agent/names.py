"""Names of tensors.

Gives the engine the names of tensors that functions of ours return, and of tensors that
namespaces hold. The names of operations' results are in results.
"""

from __future__ import annotations

import sys
import types
from collections import OrderedDict
from itertools import islice

from . import bytecode, stacks

TYPE_CHECKING = False  # typing is not imported for it
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import FrameType
    from typing import Any

    Bind = Callable[[Any, str, str], object]
    Space = tuple[dict[str, Any], str]  # a namespace and the scope of its names

tensor: Any = ()  # the class of tensors
bind: Bind | None = None  # gives the engine a tensor, its name and its scope

_getframe = sys._getframe


def result(value: Any, skip: int = 1, named_by: Bind | None = None) -> None:
    """Names what a function of ours returns: skip is the number of its frames up to
    the one that called it. named_by names it, if not bind."""
    site = stacks.find(_getframe(skip + 1))
    for path, name, scope, _ in site.names:
        item = value
        for i in path:
            item = item[i] if type(item) in (list, tuple) and i < len(item) else None
        if _is(item, tensor):
            (named_by or bind)(item, name, scope)


def module(called: Any, frame: FrameType) -> None:
    """The parameters of a module get names from the expression that it is called by
    in a frame."""
    callee = stacks.find(frame).callee
    if isinstance(callee, bytecode.Expression) and callee.text and _modules.get(id(called)) != callee.text:
        if len(_modules) > _MOST_OBJECTS:
            _modules.clear()
        _modules[id(called)] = callee.text
        bind_all({callee.text: called}, callee.scope)


_modules: dict[int, str] = {}  # id of a module -> the expression that its parameters are named after


def reset() -> None:
    """Forgets which modules have names."""
    _modules.clear()


# What namespaces hold.

_MOST_OBJECTS = 20_000
_MOST_ELEMENTS = 1_000  # of a container
_DEEPEST = 6
_HEAP_TYPE = 1 << 9  # a class that was made by a class statement

# What has no parts.
_ATOMS = frozenset((
    type(None), bool, int, float, complex, str, bytes, types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.ModuleType, type,
))

# Attributes of classes, without asking their metaclasses.
_of_class = {name: type.__dict__[name].__get__ for name in ("__flags__", "__mro__", "__dict__")}


def bind_all(namespace: dict[str, Any], scope: str = "") -> None:
    """Binds what is in a namespace."""
    if bind is not None:
        for name, _, value in scan((namespace, scope)):
            try:
                bind(value, name, scope)
            except AttributeError:
                pass  # a tensor that its class has not finished


def scan(*spaces: Space) -> Iterator[tuple[str, str, Any]]:
    """The tensors in namespaces, each given with its scope, and in the containers and objects
    in them, as (name, scope, tensor), near ones first; those without a name of their own
    once. What a module is made of is as near as the module. No code of the program runs."""
    level = [(name, scope, value) for space, scope in spaces for name, value in list(dict.items(space)) if _public(name)]
    own = len(level)  # how many have names of their own
    seen: set[int] = set()
    named: set[int] = set()
    for _ in range(_DEEPEST):
        below: list[tuple[str, str, Any]] = []
        for name, scope, value in level:  # which grows in the loop
            own -= 1
            if _is(value, tensor):
                if own >= 0 or id(value) not in named:
                    named.add(id(value))
                    yield name, scope, value
            elif id(value) not in seen and len(seen) < _MOST_OBJECTS and len(below) < _MOST_OBJECTS:
                seen.add(id(value))
                for part, item, near in _parts(name, value):
                    (level if near else below).append((part, scope, item))
        level = below


def _public(name: object) -> bool:
    return type(name) is str and name != "_" and not name.startswith("__")


def _is(value: object, kinds: Any) -> bool:
    """isinstance, without asking the value."""
    return issubclass(type(value), kinds)


def _parts(name: str, value: Any) -> Iterator[tuple[str, Any, bool]]:
    """What an object consists of, with names, and whether it is of a module."""
    if _is(value, (list, tuple)):
        items = list.__iter__(value) if _is(value, list) else tuple.__iter__(value)
        for i, item in zip(range(_MOST_ELEMENTS), items):
            if type(item) not in _ATOMS:
                yield "%s[%d]" % (name, i), item, False
    elif _is(value, dict):
        for key, item in _first(dict.items(value)):
            if type(key) in (str, int) and type(item) not in _ATOMS:
                yield "%s[%r]" % (name, key), item, False
    elif _of_class["__flags__"](type(value)) & _HEAP_TYPE and not _is(value, (type, types.ModuleType)):
        for key, item, near in _first(_attributes(value)):
            if type(item) not in _ATOMS:
                yield name + (".%s" if not key.isdigit() else "[%s]") % key, item, near


def _first(items: Iterable[Any]) -> list[Any]:
    return list(islice(items, _MOST_ELEMENTS))


def _attributes(value: Any) -> Iterator[tuple[str, Any, bool]]:
    """The attributes that an object has itself, and whether it is a module made of them."""
    for cls in _of_class["__mro__"](type(value)):
        for key, member in _of_class["__dict__"](cls).items():
            if type(member) is types.MemberDescriptorType and _public(key):
                try:
                    yield key, member.__get__(value), False
                except AttributeError:
                    pass
            elif key == "__dict__" and type(member) is types.GetSetDescriptorType:
                own = member.__get__(value)
                for part in _PARTS:
                    held = dict.get(own, part)
                    if type(held) in (dict, OrderedDict):
                        yield from ((k, item, True) for k, item in held.items() if type(k) is str)
                for k, item in list(dict.items(own)):
                    if _public(k) and k not in _PARTS:
                        yield k, item, False


_PARTS: tuple[str, ...] = ("_parameters", "_buffers", "_modules")
