"""Names of tensors.

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

import sys
import types
from collections import OrderedDict
from itertools import islice

from . import bytecode, stacks

tensor = ()  # the class of tensors
bind = None  # tells the engine a tensor, its name and its scope

_getframe = sys._getframe
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


def of_site(site, frame):
    """The names of what an operation at a site returns. The frame is there now."""
    found = []
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


def _direct(run, frame):
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


def result(value, skip=1, tell=None):
    """Names what a function of ours returns: skip is the number of its frames up to
    the one that called it. tell is what names it, if not bind."""
    site = stacks.find(_getframe(skip + 1))
    for path, name, scope, _ in site.names:
        item = value
        for i in path:
            item = item[i] if type(item) in (list, tuple) and i < len(item) else None
        if _is(item, tensor):
            (tell or bind)(item, name, scope)


def of_results(found):
    """The names of the results of an operation of the engine, which do not nest:
    (position, name, scope, until), where -1 stands for the only result."""
    return tuple((n[0][0] if n[0] else -1,) + n[1:] for n in found if len(n[0]) < 2)


def module(called, frame):
    """The parameters of a module get names from the expression that it is called by
    in a frame."""
    callee = stacks.find(frame).callee
    if isinstance(callee, bytecode.Expression) and callee.text and _modules.get(id(called)) != callee.text:
        if len(_modules) > _MOST_OBJECTS:
            _modules.clear()
        _modules[id(called)] = callee.text
        bind_all({callee.text: called}, callee.scope)


_modules = {}  # id of a module -> the expression that its parameters are named after


def reset():
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


def bind_all(namespace, scope=""):
    """Binds what is in a namespace."""
    if bind is not None:
        for name, _, value in scan((namespace, scope)):
            try:
                bind(value, name, scope)
            except AttributeError:
                pass  # a tensor that its class has not finished


def scan(*spaces):
    """The tensors in namespaces, each given with its scope, and in the containers and objects
    in them, as (name, scope, tensor), near ones first; those without a name of their own
    once. What a module is made of is as near as the module. No code of the program runs."""
    level = [(name, scope, value) for space, scope in spaces for name, value in list(dict.items(space)) if _public(name)]
    own = len(level)  # how many have names of their own
    seen = set()
    named = set()
    for _ in range(_DEEPEST):
        below = []
        for name, scope, value in level:  # which grows meanwhile
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


def _public(name):
    return type(name) is str and name != "_" and not name.startswith("__")


def _is(value, kinds):
    """isinstance, without asking the value."""
    return issubclass(type(value), kinds)


def _parts(name, value):
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


def _first(items):
    return list(islice(items, _MOST_ELEMENTS))


def _attributes(value):
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


_PARTS = ("_parameters", "_buffers", "_modules")
