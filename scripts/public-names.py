"""Writes capture/python/site/torch/_public.py: the public names of PyTorch, so that what
gradtui lacks can be told from what does not exist. Run it with PyTorch 2.6:

    python3 scripts/public-names.py > capture/python/site/torch/_public.py
"""

import importlib
import pkgutil
import textwrap
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


print('"""The public names of PyTorch %s. Generated; do not edit: scripts/public-names.py writes it."""' % torch.__version__[:3])
print()
print("NAMES = {")
for name in MODULES:
    print('    "%s": """\n%s\n    """,' % (name, block(public(importlib.import_module(name)))))
methods = [n for n in dir(torch.Tensor) if not n.startswith("__") or n not in dir(object)]
print('    "torch.Tensor": """\n%s\n    """,' % block(methods))
print("}")
print()
print('MODULES = """\n%s\n"""' % block(submodules()))
