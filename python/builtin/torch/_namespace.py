"""Namespaces of functions: what the engine has, and what it has not.

Names of PyTorch that we lack can be imported, as libraries do that may not need them: they are
classes that say what they are when they are called."""

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec

from . import _engine
from ._names import NAMES
from ._public import MODULES
from ._public import NAMES as PUBLIC
from ._unsupported import error

# Packages that we lack as a whole, with all that is in them.
_PACKAGES = (
    "ao distributed export futures fx hub library masked monitor mtia nested onnx package quantization quasirandom signal"
).split()


def fill(module):
    """Puts the engine's functions of a module into it."""
    space = vars(sys.modules[module])
    for name in NAMES.get(module, "").split():
        if name not in space:
            space[name] = _engine.function(module + "." + name)


class _Lacking(type):
    """The type of what stands for a name that we lack."""

    def __call__(cls, *args, **kwargs):
        raise error(cls._what)

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return placeholder(cls._what + "." + name)

    def __bool__(cls):
        raise error(cls._what)

    def __repr__(cls):
        return "<%s, which gradtui's built-in engine does not have>" % cls._what

    __iter__ = __len__ = __enter__ = __bool__

    def __getitem__(cls, _):
        return cls


def placeholder(what):
    """What stands for a name that we lack. A program may name it, derive from it and ask whether something is
    an instance of it."""
    module, _, name = what.rpartition(".")
    return _Lacking(name, (), {"__module__": module, "_what": what})


def public(module):
    """The public names of a module of PyTorch; None if they are not known."""
    from ._public_others import NAMES as others

    names = PUBLIC.get(module) or others.get(module)
    return names.split() if names else None


def private():
    """Private modules that programs import all the same."""
    from ._public_others import PRIVATE

    return PRIVATE.split()


def is_module(name):
    """Whether PyTorch has a module that we may lack."""
    inner = name.split(".")[1] in _PACKAGES and name.count(".") > 1
    return inner or name in MODULES.split() or any((name + ".").startswith(p + ".") for p in private())


def _have(name):
    """Whether we have a module of PyTorch, loaded or not."""
    from importlib.util import find_spec

    spec = find_spec(name)
    return spec is not None and spec.loader is not _Finder


def _names_unknown(module):
    """Whether a module may have any name: we lack it as a whole, and no table says what is in it."""
    spec = sys.modules[module].__spec__
    return module.split(".")[1] in _PACKAGES or module in private() or spec is not None and spec.loader is _Finder


def missing(module):
    """The __getattr__ of a module: it distinguishes names of PyTorch that we lack from
    names that do not exist."""
    if module + "." in MODULES:
        vars(sys.modules[module]).setdefault("__path__", [])  # so that its inner modules are looked for

    def __getattr__(name):
        if not name.startswith("__"):
            what, names = module + "." + name, public(module)
            listed = what in MODULES.split() or what in private()
            if listed and _have(what):
                return import_module(what)
            if name in names if names else not listed and _names_unknown(module):
                vars(sys.modules[module])[name] = value = placeholder(what)
                return value
            if listed:
                return import_module(what)
        raise AttributeError("module '%s' has no attribute '%s'" % (module, name))

    return __getattr__


class _Finder:
    """Finds the modules of PyTorch that we have not, and makes them of names that we lack."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.startswith("torch.") and is_module(name):
            return ModuleSpec(name, _Finder, is_package=True)
        return None

    @staticmethod
    def create_module(spec):
        return None

    @staticmethod
    def exec_module(module):
        module.__doc__ = "Not there: what the built-in engine lacks says so when it is used."
        module.__getattr__ = missing(module.__name__)


sys.meta_path.append(_Finder)
