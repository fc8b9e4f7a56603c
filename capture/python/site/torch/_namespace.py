"""Namespaces of functions: what the engine has, and errors for what it has not."""

import sys

from . import _engine
from ._names import NAMES
from ._public import MODULES, NAMES as PUBLIC
from ._unsupported import Unsupported, error


def fill(module):
    """Puts the engine's functions of a module into it."""
    space = vars(sys.modules[module])
    for name in NAMES.get(module, "").split():
        if name not in space:
            space[name] = _engine.function(module + "." + name)


def missing(module):
    """The __getattr__ of a module: names of PyTorch that we lack are told apart from
    names that do not exist."""

    def __getattr__(name):
        if name in PUBLIC.get(module, "").split() or module + "." + name in MODULES.split():
            raise error(module + "." + name)
        raise AttributeError("module '%s' has no attribute '%s'" % (module, name))

    return __getattr__


class UnsupportedModule(Unsupported, ImportError):
    """A module of PyTorch that gradtui's built-in engine does not have."""

    __module__ = "torch"


class _Finder:
    """Says of modules that PyTorch has and we have not what they are."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.startswith("torch.") and name in MODULES.split():
            raise UnsupportedModule(str(error(name)))
        return None


sys.meta_path.append(_Finder)
