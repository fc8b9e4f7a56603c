"""torch.Tensor. What it does is in the engine; here are its names and what Python
itself asks for."""

from . import _engine
from ._engine import function, number, raw_call
from ._names import NAMES


def _reader(name):
    n = number("get." + name)

    def read(self):
        return raw_call(n, (self,), None, 3)

    return read


def _writer(name):
    n = number("set." + name)

    def write(self, value):
        raw_call(n, (self, value), None, 3)

    return write


class Tensor(_engine.Tensor):
    """A tensor of the engine."""

    __slots__ = ()
    __module__ = "torch"

    def __new__(cls, *args, **kwargs):
        return _engine.call("torch.Tensor", args, kwargs)

    def __hash__(self):
        return id(self)

    def __iter__(self):
        return iter(_engine.call("Tensor.__iter__", (self,)))

    def __reversed__(self):
        return self.flip(0) if self.dim() else self

    def __int__(self):
        return _engine.call("Tensor.__int__", (self,))

    @property
    def device(self):
        from ._device import CPU

        return CPU


# Methods that the table has for derivatives and programs in Go only.
_HIDDEN = {"__iabs__", "__ineg__", "__ieq__", "__ine__", "__ige__", "__igt__", "__ile__", "__ilt__", "__iradd__",
           "__irand__", "__irmul__", "__iror__", "__irxor__", "__irshift__"}  # fmt: skip


def _fill():
    writable = {"grad", "requires_grad", "data"}
    for name in NAMES["Tensor"].split():
        if name not in _HIDDEN and name not in Tensor.__dict__:
            setattr(Tensor, name, function("Tensor." + name))
    for name in NAMES["get"].split():
        if name not in Tensor.__dict__:
            setattr(Tensor, name, property(_reader(name), _writer(name)))


_fill()
_engine.tensor_class = _engine.parameter_class = Tensor
_engine.converters[Tensor] = _engine._handle
