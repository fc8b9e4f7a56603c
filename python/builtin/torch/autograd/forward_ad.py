"""Forward mode: dual numbers, which carry a derivative along with the computation."""

import collections

from torch._engine import call

from .grad_mode import _DecoratorContextManager

__all__ = ["UnpackedDualTensor", "enter_dual_level", "exit_dual_level", "make_dual", "unpack_dual", "dual_level"]

_current_level = -1


def enter_dual_level():
    """Begins the level in which dual numbers can be made."""
    global _current_level
    if _current_level >= 0:
        raise RuntimeError("Nested forward mode AD is not supported at the moment")
    call("autograd.set_dual_level", (True,))
    _current_level += 1
    return _current_level


def exit_dual_level(*, level=None):
    """Ends the level; its tangents vanish."""
    global _current_level
    if level is None:
        level = _current_level
    if level != _current_level:
        raise RuntimeError(
            "Trying to exit a forward AD level that was not the last one that was created. This is not supported."
        )
    if level < 0:
        raise RuntimeError("Dual level must be a positive number.")
    call("autograd.set_dual_level", (False,))
    _current_level = level - 1


def make_dual(tensor, tangent, *, level=None):
    """A view of the tensor that carries the tangent."""
    if level is None:
        level = _current_level
    if level < 0:
        raise RuntimeError(
            "Trying to create a dual Tensor for forward AD but no level exists, make sure to enter_dual_level() first."
        )
    for name, t in (("primal", tensor), ("tangent", tangent)):
        if not t.is_floating_point():
            raise ValueError(f"Expected {name} to be floating point or complex, but got: {t.dtype}")
    return call("autograd.make_dual", (tensor, tangent))


_UnpackedDualTensor = collections.namedtuple("_UnpackedDualTensor", ["primal", "tangent"])


class UnpackedDualTensor(_UnpackedDualTensor):
    """The value and the tangent of a dual number."""


def unpack_dual(tensor, *, level=None):
    """The value and the tangent of a dual number; the tangent is None if there is none."""
    if level is None:
        level = _current_level
    if level < 0:
        return UnpackedDualTensor(tensor, None)
    return UnpackedDualTensor(*call("autograd.unpack_dual", (tensor,)))


class dual_level(_DecoratorContextManager):
    """Forward mode inside a block."""

    def __enter__(self):
        return enter_dual_level()

    def __exit__(self, exc_type, exc_value, traceback):
        exit_dual_level()


def _is_fwd_grad_enabled():
    return call("autograd.forward_enabled", ())


class _set_fwd_grad_enabled(_DecoratorContextManager):
    """Says whether operators compute tangents."""

    def __init__(self, mode):
        self.mode = mode
        self.prev = call("autograd.set_forward_enabled", (mode,))

    def __enter__(self):
        pass

    def __exit__(self, exc_type, exc_value, traceback):
        call("autograd.set_forward_enabled", (self.prev,))

    def clone(self):
        return self.__class__(self.mode)
