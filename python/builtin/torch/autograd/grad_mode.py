"""Context managers, which are decorators too, that switch modes of the engine."""

import functools
import sys
import warnings
from itertools import count
from types import FunctionType

import torch
from torch import _engine
from torch._engine import call, later, learned
from torch._namespace import missing

__all__ = ["no_grad", "enable_grad", "set_grad_enabled", "inference_mode", "set_multithreading_enabled"]


def _set_grad(on):
    _engine.off = False
    return call("autograd.set_grad_enabled", (on,))


_blocks = count(1)
_off_before = {}  # whether grad mode was off outside of a block


def enter_mode(grad, inference=None):
    """Switches modes for a block and returns its number."""
    block = next(_blocks) & 0x7FFFFFFF
    if inference is None:
        later("autograd.enter_mode", block, grad)
    else:
        learned.clear()
        later("autograd.enter_mode", block, grad, inference)
    _off_before[block] = _engine.off
    _engine.off = grad is False
    return block


def leave_mode(block):
    """Ends a block: the modes are again what they were before it."""
    later("autograd.leave_mode", block)
    _engine.off = _off_before.pop(block, False)


def is_inference_mode_enabled():
    """Whether inference mode is on."""
    return call("autograd.is_inference", ())


def _drive(enter, generator):
    """Runs a generator; each step of it happens inside a context of its own."""
    step, value = generator.send, None
    try:
        while True:
            with enter():
                item = step(value)
            try:
                value = yield item
                step = generator.send
            except GeneratorExit:
                with enter():
                    generator.close()
                raise
            except BaseException:
                step, value = generator.throw, sys.exc_info()[1]
    except StopIteration as stop:
        return stop.value


def _makes_generators(f):
    """inspect.isgeneratorfunction, without the time that it takes to import inspect."""
    while isinstance(f, functools.partial):
        f = f.func
    f = getattr(f, "__func__", f)
    return isinstance(f, FunctionType) and bool(f.__code__.co_flags & 0x20)


class _DecoratorContextManager:
    """A context manager that can wrap functions and generators: each call gets a fresh context."""

    def __call__(self, orig_func):
        function = orig_func
        if isinstance(orig_func, type):
            warnings.warn(
                "Decorating classes is deprecated and will be disabled in future versions. "
                "You should only decorate functions or methods. To preserve the current behavior "
                "of class decoration, you can directly decorate the `__init__` method and nothing else.",
                FutureWarning,
                stacklevel=2,
            )

            def function(*args, **kwargs):
                return orig_func(*args, **kwargs)

            function.__name__ = function.__qualname__ = "<lambda>"
            function.__module__ = "torch.utils._contextlib"

        if _makes_generators(function):

            @functools.wraps(function)
            def generator_context(*args, **kwargs):
                return _drive(self.clone, function(*args, **kwargs))

            return generator_context

        @functools.wraps(function)
        def decorate_context(*args, **kwargs):
            with self.clone():
                return function(*args, **kwargs)

        return decorate_context

    def __enter__(self):
        raise NotImplementedError

    def __exit__(self, exc_type, exc_value, traceback):
        raise NotImplementedError

    def clone(self):
        return self.__class__()


class _NoParamDecoratorContextManager(_DecoratorContextManager):
    """One that also decorates without parentheses."""

    def __new__(cls, orig_func=None):
        if orig_func is None:
            return super().__new__(cls)
        return cls()(orig_func)


class no_grad(_NoParamDecoratorContextManager):
    """Operations inside are not recorded."""

    def __enter__(self):
        self._block = enter_mode(False)

    def __exit__(self, exc_type, exc_value, traceback):
        leave_mode(self._block)


class enable_grad(_NoParamDecoratorContextManager):
    """Operations inside are recorded."""

    def __enter__(self):
        self._block = enter_mode(True)

    def __exit__(self, exc_type, exc_value, traceback):
        leave_mode(self._block)


class set_grad_enabled(_DecoratorContextManager):
    """Switches grad mode: at once as a function, for a block as a context manager."""

    def __init__(self, mode):
        self.prev = _set_grad(mode)
        self.mode = mode

    def __call__(self, orig_func):
        _set_grad(self.prev)
        return super().__call__(orig_func)

    def __enter__(self):
        _set_grad(self.mode)

    def __exit__(self, exc_type, exc_value, traceback):
        _set_grad(self.prev)

    def clone(self):
        return self.__class__(self.mode)


class inference_mode(_DecoratorContextManager):
    """Grad mode off, and new tensors cannot take part in autograd later."""

    def __new__(cls, mode=True):
        if isinstance(mode, bool):
            return super().__new__(cls)
        return cls()(mode)

    def __init__(self, mode=True):
        self.mode = mode

    def __enter__(self):
        if not isinstance(self.mode, bool):
            raise TypeError("inference_mode(): argument 'mode' must be bool")
        self._block = enter_mode(not self.mode, self.mode)

    def __exit__(self, exc_type, exc_value, traceback):
        leave_mode(self._block)

    def clone(self):
        return self.__class__(self.mode)


class _Setting(_DecoratorContextManager):
    """A switch without effect on this engine, which remembers its position."""

    current = True

    def __init__(self, mode):
        self.prev = type(self).current
        type(self).current = mode
        self.mode = mode

    def __enter__(self):
        pass

    def __exit__(self, exc_type, exc_value, traceback):
        type(self).current = self.prev

    def clone(self):
        return self.__class__(self.mode)


class set_multithreading_enabled(_Setting):
    """Says whether backward may use several threads; the engine runs it on one."""


class _force_original_view_tracking(_Setting):
    """Says how views are replayed; it makes no difference here."""

    current = False


class _unsafe_preserve_version_counter(_DecoratorContextManager):
    """Changes of a tensor inside leave its version as it was."""

    def __init__(self, tensors):
        self.tensors = (tensors,) if isinstance(tensors, torch.Tensor) else tuple(tensors)
        self.versions = [t._version for t in self.tensors]

    def __enter__(self):
        pass

    def __exit__(self, exc_type, exc_value, traceback):
        for tensor, version in zip(self.tensors, self.versions):
            call("autograd.set_version", (tensor, version))


__getattr__ = missing(__name__)
