"""Writes the public names of PyTorch, so that what gradtui lacks can be told from what does
not exist: those that most programs ask for, and the names of its other modules. Run it with
PyTorch 2.6:

    tools/pytorch/python-torch-2.6 tools/record/public_names.py > python/builtin/torch/_public.py
    tools/pytorch/python-torch-2.6 tools/record/public_names.py others > python/builtin/torch/_public_others.py
"""

import builtins
import importlib
import os
import pkgutil
import sys
import textwrap
import types
import typing
import warnings

import torch

warnings.simplefilter("ignore")

MODULES = """torch torch.amp torch.autograd torch.autograd.functional torch.autograd.graph torch.backends torch.cuda
torch.distributions torch.fft torch.func torch.jit torch.linalg torch.masked torch.nested torch.nn torch.nn.functional
torch.nn.init torch.nn.utils torch.nn.utils.rnn torch.optim torch.optim.lr_scheduler torch.overrides torch.random
torch.return_types torch.sparse torch.special torch.testing torch.utils torch.utils.data""".split()


def public(module):
    names = set(getattr(module, "__all__", ()))
    names.update(n for n in dir(module) if not n.startswith("_"))
    return sorted(n for n in names if hasattr(module, n))


def submodules():
    """Packages and modules two levels deep."""
    found = []
    for info in pkgutil.iter_modules(torch.__path__, "torch."):
        if info.name.rpartition(".")[2].startswith("_"):
            continue
        found.append(info.name)
        if info.ispkg:
            try:
                package = importlib.import_module(info.name)
            except Exception:
                continue
            inner = pkgutil.iter_modules(package.__path__, info.name + ".")
            found += [m.name for m in inner if not m.name.rpartition(".")[2].startswith("_")]
    return found


def block(names):
    return textwrap.indent(textwrap.fill(" ".join(names), 112, break_long_words=False, break_on_hyphens=False), "        ")


# Private modules that programs import all the same.
PRIVATE = """torch._dynamo torch._functorch torch._inductor torch._logging torch._ops torch._subclasses
torch.utils._python_dispatch torch.utils._triton""".split()
BUILTIN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "python", "builtin")


def have(name):
    """Whether gradtui has a module."""
    path = os.path.join(BUILTIN, *name.split("."))
    return os.path.exists(path + ".py") or os.path.exists(path)


def own(name):
    """The public names of a module that are its own and no modules."""
    try:
        module = importlib.import_module(name)
    except BaseException:
        return []
    listed = set(getattr(module, "__all__", ()))
    for n, value in vars(module).items():
        owner = getattr(value, "__module__", None)
        foreign = isinstance(value, types.ModuleType) or hasattr(typing, n) or hasattr(builtins, n)
        if not (n.startswith("_") or foreign or isinstance(owner, str) and owner.split(".")[0] not in ("torch", "typing")):
            listed.add(n)
    return sorted(n for n in listed if hasattr(module, n))


def table(names):
    """Modules with their names."""
    print("NAMES = {")
    for name, members in names:
        print('    "%s": """\n%s\n    """,' % (name, block(members)))
    print("}")
    print()


def header(text):
    print('"""%s of PyTorch %s. Generated; do not edit: tools/record/public_names.py writes it."""' % (text, torch.__version__[:3]))
    print()


if sys.argv[1:] == ["others"]:
    header("Public names of the modules that _public has no names of")
    near = [m for m in submodules() if m not in MODULES and (m.count(".") == 1 or have(m))]
    table((m, members) for m in sorted(set(near + PRIVATE)) if (members := own(m)))
    print('PRIVATE = """\n%s\n"""' % block(PRIVATE))
else:
    header("The public names")
    methods = [n for n in dir(torch.Tensor) if not n.startswith("__") or n not in dir(object)]
    table([(m, public(importlib.import_module(m))) for m in MODULES] + [("torch.Tensor", methods)])
    print('MODULES = """\n%s\n"""' % block(submodules()))
