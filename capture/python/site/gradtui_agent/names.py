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


# What a namespace holds.

_MOST_OBJECTS = 20_000
_MOST_ELEMENTS = 1_000  # of a container
_DEEPEST = 6
_HEAP_TYPE = 1 << 9  # a class that was made by a class statement


def bind_all(namespace, scope=""):
    """Binds what is in a namespace."""
    if bind is not None:
        for name, value in scan(namespace):
            try:
                bind(value, name, scope)
            except AttributeError:
                pass  # a tensor that its class has not finished


def scan(namespace, prefix=""):
    """The tensors in a namespace and in the containers and objects in it, as
    (name, tensor); those without a name of their own once. No code of the program
    runs."""
    level = [(prefix + name, value) for name, value in list(namespace.items()) if _public(name)]
    seen = set()
    named = set()
    for depth in range(_DEEPEST):
        below = []
        for name, value in level:
            if _is(value, tensor):
                if depth == 0 or id(value) not in named:
                    named.add(id(value))
                    yield name, value
            elif id(value) not in seen and len(seen) < _MOST_OBJECTS:
                seen.add(id(value))
                below.extend(_parts(name, value))
        level = below


def _public(name):
    return type(name) is str and name != "_" and not name.startswith("__")


def _is(value, kinds):
    """isinstance, without asking the value."""
    return issubclass(type(value), kinds)


def _parts(name, value):
    """What an object consists of, with names."""
    if _is(value, (list, tuple)):
        items = list.__iter__(value) if _is(value, list) else tuple.__iter__(value)
        for i, item in zip(range(_MOST_ELEMENTS), items):
            yield "%s[%d]" % (name, i), item
    elif _is(value, dict):
        for key, item in list(dict.items(value))[:_MOST_ELEMENTS]:
            if type(key) in (str, int):
                yield "%s[%r]" % (name, key), item
    elif type(value).__flags__ & _HEAP_TYPE and not _is(value, (type, types.ModuleType)):
        for key, item in list(_attributes(value))[:_MOST_ELEMENTS]:
            yield name + (".%s" if not key.isdigit() else "[%s]") % key, item


def _attributes(value):
    """The attributes that an object has itself."""
    for cls in type(value).__mro__:
        for key, member in cls.__dict__.items():
            if type(member) is types.MemberDescriptorType and _public(key):
                try:
                    yield key, member.__get__(value)
                except AttributeError:
                    pass
            elif key == "__dict__" and type(member) is types.GetSetDescriptorType:
                own = member.__get__(value)
                for part in ("_parameters", "_buffers", "_modules"):
                    if type(own.get(part)) in (dict, OrderedDict):
                        yield from own[part].items()
                for key, item in own.items():
                    if _public(key) and key not in ("_parameters", "_buffers", "_modules"):
                        yield key, item
