"""Runs one program as `python3 PROG` would and writes down what became of it.

    observe.py OUT.json PROG [ARG...]

It looks at the program from outside and through the public API only, so that it
says the same of every `torch` there is: the warnings that were shown, the final
exception, and every tensor that the program's globals hold at the end, with the
graph behind it. Output and exit code stay the program's own; whoever started this
has them.
"""

import json
import math
import os
import re
import sys
import types
import warnings

MOST_TENSORS = 150  # of a program
MOST_VALUES = 120  # of a tensor
MOST_NODES = 600  # of the graph behind all tensors


def run(program, arguments, out):
    """Runs the program in this process, writes the JSON, leaves as the program does."""
    folder, name = os.path.split(os.path.abspath(program))
    os.chdir(folder)
    sys.argv = [name] + arguments
    sys.path[0] = folder
    main = types.ModuleType("__main__")
    main.__file__ = os.path.join(folder, name)
    main.__builtins__ = __builtins__
    sys.modules["__main__"] = main

    shown = []
    show = warnings.showwarning

    def note(message, category, filename, lineno, file=None, line=None):
        if file is not None:
            return show(message, category, filename, lineno, file, line)
        inside = os.path.basename(filename) == name
        shown.append({"category": category.__name__, "text": normal(str(message), folder), "line": lineno if inside else 0})

    warnings.resetwarnings()
    warnings.simplefilter("default")
    for category in (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning):
        warnings.simplefilter("ignore", category)
    warnings.filterwarnings("default", category=DeprecationWarning, module="__main__")
    warnings.showwarning = note

    failure, leave = None, None
    try:
        with open(name, "rb") as file:
            source = file.read()
        exec(compile(source, name, "exec"), main.__dict__)
    except SystemExit as e:
        leave = e
    except BaseException as e:
        failure = e
    sys.stdout.flush()
    result = {"warnings": list(shown), "exception": failure and describe(failure, name, folder)}
    warnings.showwarning = lambda *_, **__: None
    result["tensors"], result["graph"] = tensors(main.__dict__)
    with open(out, "w", encoding="utf-8") as file:
        json.dump(result, file)
    if leave is not None:
        raise leave
    sys.exit(1 if failure else 0)


def normal(text, folder):
    """The text without what changes from run to run and from machine to machine."""
    text = text.replace(folder + os.sep, "")
    text = re.sub(r'  File "/[^"]*", line \d+, in .*\n(    .*\n)?', "", text)  # frames of PyTorch and of this file
    text = re.sub(r"0x[0-9a-f]{6,}", "0x…", text)
    text = re.sub(r" ?\(Triggered internally at [^)]*\)", "", text)  # a place in PyTorch's own source
    return text


def describe(failure, name, folder):
    kind = type(failure)
    line, frame = 0, failure.__traceback__
    while frame is not None:
        if frame.tb_frame.f_code.co_filename == name:
            line = frame.tb_lineno
        frame = frame.tb_next
    if isinstance(failure, SyntaxError):
        line = failure.lineno
    module = "" if kind.__module__ in ("builtins", "__main__") else kind.__module__ + "."
    return {"type": module + kind.__qualname__, "text": normal(str(failure), folder), "line": line}


def tensors(variables):
    """Every tensor that the variables hold, and the graph behind them as lines of text."""
    torch = sys.modules.get("torch")
    if not hasattr(torch, "Tensor"):
        return {}, []
    named = {}
    for name, value in sorted((n, v) for n, v in variables.items() if not n.startswith("__")):
        collect(torch, name, value, named, 2)
    with torch.no_grad():
        described = {name: tensor(torch, t) for name, t in named.items()}
    return described, graph(named)


def collect(torch, name, value, named, depth):
    if len(named) >= MOST_TENSORS:
        return
    if isinstance(value, torch.Tensor):
        named[name] = value
        if (value.is_leaf or value.retains_grad) and value.grad is not None:
            named[name + ".grad"] = value.grad
    elif "torch.nn" in sys.modules and isinstance(value, torch.nn.Module):
        for part, t in list(value.named_parameters()) + list(value.named_buffers()):
            collect(torch, name + "." + part, t, named, 0)
    elif depth and isinstance(value, (list, tuple)):
        for i, v in enumerate(value):
            collect(torch, "%s[%d]" % (name, i), v, named, depth - 1)
    elif depth and isinstance(value, dict):
        for k, v in list(value.items()):
            if isinstance(k, (str, int)):
                collect(torch, "%s[%r]" % (name, k), v, named, depth - 1)


def tensor(torch, t):
    plain = torch.Tensor.detach(t) if type(t) is not torch.Tensor else t.detach()
    result = {"shape": list(t.shape), "dtype": str(t.dtype), "requires_grad": t.requires_grad, "is_leaf": t.is_leaf}
    if type(t) is not torch.Tensor:
        result["class"] = type(t).__name__
    try:
        values = plain.reshape(-1)[:MOST_VALUES].tolist()
    except (RuntimeError, NotImplementedError, TypeError) as e:
        result["unreadable"] = type(e).__name__
        return result
    digits = 17 if t.dtype in (torch.float64, torch.complex128) else 9
    result["values"] = [number(v, digits) for v in values]
    return result


def number(v, digits):
    """A number for JSON that reads back as the same number of the tensor's dtype."""
    if isinstance(v, complex):
        return [number(v.real, digits), number(v.imag, digits)]
    if not isinstance(v, float):
        return v
    if math.isnan(v) or math.isinf(v):
        return str(v)
    return float("%.*g" % (digits, v))


def graph(named):
    """One line for each node, in the order of a walk that begins at the tensors in the order of their names."""
    leaves = [(name, t) for name, t in named.items() if t.is_leaf]
    numbers, kept, lines = {}, [], []

    def number_of(fn):
        if id(fn) not in numbers:
            numbers[id(fn)] = len(kept)
            kept.append(fn)  # keeps the address taken
        return numbers[id(fn)]

    def describe_from(start):
        for i in range(start, MOST_NODES):
            if i >= len(kept):
                return i
            fn = kept[i]
            text = "%d %s" % (i, fn.name())
            if hasattr(fn, "variable"):
                text += " of " + next((n for n, t in leaves if t is fn.variable), "an unnamed " + str(list(fn.variable.shape)))
            edges = ["%d.%d" % (number_of(f), n) if f is not None else "-" for f, n in fn.next_functions]
            lines.append(text + (" <- " + " ".join(edges) if edges else ""))
        return MOST_NODES

    described = 0
    for name, t in named.items():
        if t.grad_fn is None:
            continue
        output = "" if t.output_nr == 0 else "." + str(t.output_nr)
        lines.append("%s: %d%s" % (name, number_of(t.grad_fn), output))
        described = describe_from(described)
    return lines


if __name__ == "__main__":
    run(sys.argv[2], sys.argv[3:], os.path.abspath(sys.argv[1]))
