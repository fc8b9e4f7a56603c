"""What the program's global variables hold at its end.

GRADTUI_VARIABLES lists the names that gradtui asks for. Of a tensor, a tuple or
list of tensors, or a dict with tensors as values, the engine is told the tensors.
"""

import atexit
import os
import sys

VARIABLE = "GRADTUI_VARIABLES"


def report_at_exit(call, tensor):
    """Reports the variables when the program ends, if any were asked for."""
    names = os.environ.get(VARIABLE)
    if names:
        atexit.register(_report, names.split(","), call, tensor)


def _report(names, call, tensor):
    variables = vars(sys.modules["__main__"])
    for name in names:
        if name in variables:
            value = variables[name]
            mapping = isinstance(value, dict)
            found = [(k, t) for k, t in value.items() if isinstance(t, tensor)] if mapping else list(_tensors(value, tensor))
            keys, tensors = [str(k) for k, _ in found], [t for _, t in found]
            call("program.variable", (name, type(value).__name__, mapping, keys, tensors))


def _tensors(value, tensor):
    if isinstance(value, tensor):
        yield "", value
    elif isinstance(value, (tuple, list)):
        for v in value:
            yield from _tensors(v, tensor)
