"""Names of tensors.

The names of what an operation returns are found once for each stack, in the
bytecode that follows the operation: `y` in `y = torch.add(a, b)`, and also in
`y = f(x)` where f ends with `return a + b`. They are tuples

    (position, name, scope, until)

position is that of the tensor among the results of the operation, -1 for its
only result. scope is the function, class or module that the name belongs to, ""
for the program's own global variables. until is 0 if the name holds at once, or
the number of the stack that the program has to leave before: what runs on top of
that stack comes before the assignment. If the operation itself runs at the stack
`until` again, with nothing else in between, its earlier result gets no name.
"""

import sys
import types

from . import bytecode, stacks

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
    code = None
    later = False
    while frame is not None and site.activation is not None and site.activation.exact:
        activation = site.activation
        run = bytecode.Run(activation.code, site.lasti, frame.f_globals)
        run.follow(value)
        if not _direct(run, frame):
            break
        last = isinstance(run.callee, bytecode.Expression) and run.callee.leaf in _LAST
        if not activation.ours:
            for path, place, after in run.stores:
                if len(path) < 2:
                    until = site.number if later or after or last else 0
                    found.append((path[0] if path else -1, place.text, place.scope, until))
        if run.returned is None or activation.code.co_flags & _GENERATOR:
            break
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


def result(value, skip=1):
    """Name what a function of ours returns to the frame that is skip frames above the caller."""
    frame = _getframe(skip + 1)
    activation = frame.f_trace
    site = None
    if type(activation) is stacks.Activation:
        site = activation.sites.get(frame.f_lasti)
    if site is None:
        site = stacks.find(frame)
    if site.names:
        stacks.pending.append(("result", site.number, value))
