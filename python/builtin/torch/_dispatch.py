"""__torch_function__: how classes like Tensor and TorchFunctionModes take part in calls.

A call whose arguments are plain tensors never comes here: the conversion of its
arguments for the engine finds what is special and raises Overridden.
"""

from gradtui._agent.unseen import unseen

from . import _engine, _values
from ._engine import callables, modes
from ._objects import Tensor
from ._values import Overridden, converters, handle, keep


def disabled(func, types, args=(), kwargs=None):
    """The __torch_function__ of classes that do not want to be asked."""
    return func(*args, **(kwargs or {}))


disabled.__name__ = disabled.__qualname__ = "_disabled_torch_function_impl"

off = []  # as long as it has elements, subclasses of Tensor count as tensors


class DisableTorchFunctionSubclass:
    """Inside, subclasses of Tensor are treated like tensors."""

    __module__ = "torch._C"

    def __enter__(self):
        off.append(self)
        return self

    def __exit__(self, *exc):
        off.pop()


class DisableTorchFunction(DisableTorchFunctionSubclass):
    """The same, and no mode is asked either."""

    __module__ = "torch._C"

    def __enter__(self):
        self.modes = modes[:]
        modes.clear()
        return super().__enter__()

    def __exit__(self, *exc):
        modes[:] = self.modes
        super().__exit__(*exc)


def is_overriding(v):
    """Whether a value's class has a __torch_function__ that is to be asked."""
    impl = getattr(type(v), "__torch_function__", None)
    if impl is None or impl is disabled or type(v) is _engine.tensor_class:
        return False
    return not (off and isinstance(v, Tensor))


def overriding(v):
    """What convert does with a value whose class has __torch_function__."""
    c = type(v)
    if c.__torch_function__ is disabled and isinstance(v, Tensor):
        converters[c] = handle
        return handle(v)
    if is_overriding(v):
        raise Overridden
    if isinstance(v, Tensor):
        return handle(v)
    return (b"o", keep(v), c.__name__)


def overriding_among(values):
    """The arguments that are to be asked, one of each class: subclasses first, else
    in order. Lists and tuples are looked into."""
    found = []

    def look(v):
        if type(v) in (list, tuple):
            for x in v:
                look(x)
        elif type(v) not in converters or isinstance(v, Tensor):
            if is_overriding(v) and all(type(v) is not type(x) for x in found):
                at = len(found)
                for i, x in enumerate(found):
                    if issubclass(type(v), type(x)):
                        at = i
                        break
                found.insert(at, v)

    for v in values:
        look(v)
    return found


def name_of(number):
    return next(name for name, n in _engine.numbers.items() if n == number)


def public(number):
    """The Python function of a number."""
    f = callables.get(number)
    if f is None:
        f = callables[number] = _engine.function(name_of(number))
    return f


def shown(func):
    """How messages name a function."""
    module = getattr(func, "__module__", None) or ""
    return module + "." + getattr(func, "__name__", str(func)) if module else getattr(func, "__name__", str(func))


@unseen
def dispatch(number, args, kwargs):
    """Lets __torch_function__ answer a call."""
    func = public(number)
    among = overriding_among(list(args) + list((kwargs or {}).values()))
    result = ask(func, among, args, kwargs)
    if result is NotImplemented:
        _unanswered(number, func, among)
    return result


def _unanswered(number, func, among):
    """All that were asked have answered NotImplemented, which only operators may give."""
    if name_of(number) in _operators:
        return
    listed = "".join("\n  - tensor subclass %r\n" % type(v) for v in among)
    raise TypeError(
        "Multiple dispatch failed for '%s'; all __torch_function__ handlers returned NotImplemented:\n%s\n"
        "For more information, try re-running with TORCH_LOGS=not_implemented" % (shown(func), listed)
    )


@unseen
def ask(func, among, args, kwargs):
    """Asks the innermost mode, then the arguments in turn."""
    types = tuple(map(type, among))
    if modes:
        mode = modes.pop()
        try:
            result = mode.__torch_function__(func, types, args, kwargs)
        finally:
            modes.append(mode)
        if result is not NotImplemented:
            return result
    elif not among:
        return func(*args, **(kwargs or {}))
    for v in among:
        result = type(v).__torch_function__(func, types, args, kwargs or None)
        if result is not NotImplemented:
            return result
    return NotImplemented


_operators = frozenset(
    "Tensor.__%s%s__" % (prefix, name)
    for name in "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift".split()
    for prefix in ("", "r", "i")
) | frozenset("Tensor.__%s__" % name for name in "eq ne lt le gt ge".split())

_engine.dispatch = dispatch
_values.overriding = overriding
