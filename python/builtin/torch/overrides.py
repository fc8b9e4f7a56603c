"""Functions for classes that define __torch_function__."""

import functools

from torch._namespace import missing

from . import _engine
from ._dispatch import is_overriding, modes, overriding_among, shown
from ._names import NAMES

__all__ = [
    "get_ignored_functions", "get_overridable_functions", "get_testing_overrides", "handle_torch_function",
    "has_torch_function", "resolve_name", "is_tensor_like", "is_tensor_method_or_property", "wrap_torch_function",
    "enable_reentrant_dispatch",
]  # fmt: skip


def has_torch_function(relevant_args):
    """Whether one of the arguments wants to answer calls itself, or a mode is active."""
    return bool(modes) or any(is_overriding(v) for v in relevant_args)


def has_torch_function_unary(arg):
    return has_torch_function((arg,))


def has_torch_function_variadic(*args):
    return has_torch_function(args)


def handle_torch_function(public_api, relevant_args, *args, **kwargs):
    """Lets the relevant arguments answer a call of a function."""
    among = overriding_among(relevant_args)
    if modes:
        mode = modes.pop()
        try:
            result = mode.__torch_function__(public_api, tuple(map(type, among)), args, kwargs)
        finally:
            modes.append(mode)
        if result is not NotImplemented:
            return result
    for v in among:
        result = type(v).__torch_function__(public_api, tuple(map(type, among)), args, kwargs)
        if result is not NotImplemented:
            return result
    message = "no implementation found for '%s' on types that implement __torch_function__: %s" % (
        shown(public_api), [type(v) for v in among],
    )  # fmt: skip
    if modes:
        message += " nor was it found on the currently active mode %s" % modes[-1]
    raise TypeError(message)


def wrap_torch_function(dispatcher):
    """A decorator for functions that others may answer: the dispatcher names the
    arguments that are asked."""

    def inner(func):
        @functools.wraps(func)
        def wrapped(*args, **kwargs):
            relevant = dispatcher(*args, **kwargs)
            if has_torch_function(relevant):
                return handle_torch_function(wrapped, relevant, *args, **kwargs)
            return func(*args, **kwargs)

        return wrapped

    return inner


def is_tensor_like(inp):
    """Whether a value is a tensor or has __torch_function__."""
    return isinstance(inp, _engine.Tensor) or hasattr(inp, "__torch_function__")


def get_default_nowrap_functions():
    """Functions whose results stay plain tensors."""
    cls = _engine.tensor_class
    return {cls.__dict__[n].__get__ for n in ("_base", "grad", "_grad") if n in cls.__dict__}


def get_overridable_functions():
    """The functions that ask __torch_function__, by the module or class they are in."""
    import torch

    spaces = {
        torch: "torch", torch.linalg: "torch.linalg", torch.special: "torch.special",
        torch.nn.functional: "torch.nn.functional", torch.Tensor: "Tensor",
    }  # fmt: skip
    return {
        space: [getattr(space, n) for n in NAMES.get(name, "").split() if hasattr(space, n)] for space, name in spaces.items()
    }


def get_ignored_functions():
    """Functions that never ask __torch_function__."""
    import torch

    names = "empty zeros ones rand randn randint eye full arange linspace logspace tensor as_tensor is_tensor".split()
    return {getattr(torch, n) for n in names}


def get_testing_overrides():
    """For each function that asks, one with the same name that returns -1."""

    def dummy(func):
        return lambda *args, **kwargs: -1

    return {f: dummy(f) for functions in get_overridable_functions().values() for f in functions}


def is_tensor_method_or_property(func):
    return any(func is v for v in vars(_engine.tensor_class).values()) or getattr(func, "__name__", "") == "__get__"


def resolve_name(f):
    """The full name of a function, or None."""
    if isinstance(f, str):
        return f
    name = shown(f)
    return name if "." in name else None


class TorchFunctionMode:
    """A context in which calls go to __torch_function__ of this object first."""

    inner = None

    def __torch_function__(self, func, types, args=(), kwargs=None):
        raise NotImplementedError

    def __enter__(self):
        modes.append(self)
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        modes.remove(self)

    @classmethod
    def push(cls, *args, **kwargs):
        return cls(*args, **kwargs)


class BaseTorchFunctionMode(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))


def enable_reentrant_dispatch():
    from ._unsupported import unsupported

    unsupported("torch.overrides.enable_reentrant_dispatch")


__getattr__ = missing(__name__)
