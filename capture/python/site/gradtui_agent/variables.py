"""What the program's global variables hold at its end.

GRADTUI_VARIABLES lists the names that gradtui asks for. Of a tensor, a tuple or
list of tensors, or a dict with tensors as values, the engine is told the tensors.
"""

import sys


def report(names, call, tensor):
    """Tells the engine what the variables with these names hold."""
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
