"""Changing the tensors of a module: their type, their device, their mode."""

import sys
import warnings

import torch
from gradtui._agent.modules import switched
from torch.__future__ import (
    get_overwrite_module_params_on_conversion,
    get_swap_module_params_on_conversion,
)
from torch.nn.parameter import Parameter


def _floating(convert):
    """A conversion of floating point tensors that leaves others as they are."""
    return lambda t: convert(t) if t.is_floating_point() else t


@torch.no_grad()
def _put_data(params, key, param, fn):
    """Converts a parameter, and its gradient, by giving it new data."""
    param.data = fn(param)
    grad = param.grad
    if grad is not None:
        grad.data = fn(grad)


def _overwrite(params, key, param, fn):
    """Replaces a parameter, and its gradient, with new ones."""
    assert isinstance(param, Parameter)
    assert param.is_leaf
    grad = param.grad
    with torch.no_grad():
        params[key] = new = Parameter(fn(param), param.requires_grad)
        if grad is not None:
            assert grad.is_leaf
            new.grad = fn(grad).requires_grad_(grad.requires_grad)


def _swap(params, key, param, fn):
    """Turns the parameter object, and its gradient's, into new tensors."""
    grad = param.grad
    with torch.no_grad():
        new = fn(param)
        param.grad = None
        torch.utils.swap_tensors(param, Parameter(new, requires_grad=param.requires_grad))
        if grad is not None:
            torch.utils.swap_tensors(grad, fn(grad).requires_grad_(grad.requires_grad))
            param.grad = grad


class Module:
    """The part of torch.nn.Module that converts its parameters and buffers."""

    def _apply(self, fn, recurse=True):
        if recurse:
            for module in self.children():
                module._apply(fn)
        how = _put_data
        if get_swap_module_params_on_conversion():
            how = _swap
        elif get_overwrite_module_params_on_conversion():
            how = _overwrite
        for key, param in self._parameters.items():
            if param is not None:
                how(self._parameters, key, param, fn)
        for key, buffer in self._buffers.items():
            if buffer is not None:
                self._buffers[key] = fn(buffer)
        return self

    def apply(self, fn):
        """Calls fn with each module below this one, and last with this one."""
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def cuda(self, device=None):
        """Moves parameters and buffers to a GPU."""
        return self._apply(lambda t: t.cuda(device))

    def ipu(self, device=None):
        """Moves parameters and buffers to an IPU."""
        return self._apply(lambda t: t.ipu(device))

    def xpu(self, device=None):
        """Moves parameters and buffers to an XPU."""
        return self._apply(lambda t: t.xpu(device))

    def cpu(self):
        """Moves parameters and buffers to the CPU."""
        return self._apply(lambda t: t.cpu())

    def type(self, dst_type):
        """Casts parameters and buffers to dst_type."""
        return self._apply(lambda t: t.type(dst_type))

    def float(self):
        """Casts floating point parameters and buffers to float32."""
        return self._apply(_floating(lambda t: t.float()))

    def double(self):
        """Casts floating point parameters and buffers to float64."""
        return self._apply(_floating(lambda t: t.double()))

    def half(self):
        """Casts floating point parameters and buffers to float16."""
        return self._apply(_floating(lambda t: t.half()))

    def bfloat16(self):
        """Casts floating point parameters and buffers to bfloat16."""
        return self._apply(_floating(lambda t: t.bfloat16()))

    def to_empty(self, *, device, recurse=True):
        """Gives parameters and buffers new memory, whose content is not defined."""
        return self._apply(lambda t: torch.empty_like(t, device=device), recurse=recurse)

    def to(self, *args, **kwargs):
        """Moves and casts: to(device, dtype), to(dtype) or to(tensor)."""
        device, dtype, non_blocking, memory_format = _parse_to(*args, **kwargs)
        if dtype is not None and not (dtype.is_floating_point or dtype.is_complex):
            raise TypeError(
                "nn.Module.to only accepts floating point or complex "
                f"dtypes, but got desired dtype={dtype}"
            )
        if dtype is not None and dtype.is_complex:
            warnings.warn(
                "Complex modules are a new feature under active development whose design "
                "may change, and some modules might not work as expected when using complex "
                "tensors as parameters or buffers. Please file an issue at "
                "https://github.com/pytorch/pytorch/issues/new?template=bug-report.yml "
                "if a complex module does not work as expected."
            )

        def convert(t):
            wanted = dtype if t.is_floating_point() or t.is_complex() else None
            if memory_format is not None and t.dim() in (4, 5):
                return t.to(device, wanted, non_blocking, memory_format=memory_format)
            return t.to(device, wanted, non_blocking)

        return self._apply(convert)

    def share_memory(self):
        """Moves parameters and buffers to shared memory."""
        return self._apply(lambda t: t.share_memory_())

    def train(self, mode=True):
        """Sets the training mode of this module and of all below."""
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        if sys._getframe(1).f_code is not Module.train.__code__:
            switched(self, mode)
        for module in self.children():
            module.train(mode)
        return self

    def eval(self):
        """train(False)."""
        return self.train(False)

    def requires_grad_(self, requires_grad=True):
        """Sets requires_grad of all parameters."""
        for param in self.parameters():
            param.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none=True):
        """Removes the gradients of all parameters, or makes them zeros."""
        for param in self.parameters():
            grad = param.grad
            if grad is None:
                continue
            if set_to_none:
                param.grad = None
                continue
            if grad.grad_fn is not None:
                grad.detach_()
            else:
                grad.requires_grad_(False)
            grad.zero_()

    def compile(self, *args, **kwargs):
        """torch.compile of the module's calls."""
        self._compiled_call_impl = torch.compile(self._call_impl, *args, **kwargs)


_DTYPE_OF_TYPE = {float: torch.float64, int: torch.int64, bool: torch.bool}

_ORDER = ["device", "dtype", "non_blocking", "copy"]


def _fits(name, value):
    """Whether a value can be the argument of to() with this name."""
    if name in ("non_blocking", "copy"):
        return isinstance(value, bool)
    kinds = {
        "device": (str, int, torch.device),
        "dtype": torch.dtype,
        "memory_format": torch.memory_format,
    }
    return name in kinds and (value is None or isinstance(value, kinds[name]))


def _parse_to(*args, **kwargs):
    """Device, dtype, non_blocking and memory format of the arguments of to()."""
    if len(args) > 4:
        raise TypeError(f"to() takes from 0 to 4 positional arguments but {len(args)} were given")
    order, given = _ORDER, list(args)
    if given and isinstance(given[0], type):
        given[0] = _DTYPE_OF_TYPE.get(given[0], given[0])
    other = kwargs.get("tensor")
    named = {k: v for k, v in kwargs.items() if k != "tensor"}
    if given and isinstance(given[0], torch.Tensor):
        other = given.pop(0)
        order = order[2:]
    elif given and isinstance(given[0], torch.dtype):
        order = order[1:]
    twice = not named.keys().isdisjoint(order[: len(given)])
    named.update(zip(order, given))
    if twice or len(given) > len(order) or not all(
        _fits(name, value) for name, value in named.items()
    ):
        raise TypeError(_invalid_to(args, kwargs))
    if named.get("copy"):
        raise RuntimeError(".to() does not accept copy argument")
    device, dtype = named.get("device"), named.get("dtype")
    if other is not None:
        device, dtype = other.device, other.dtype
    elif isinstance(device, (str, int)):
        device = torch.device(device)
    return device, dtype, named.get("non_blocking", False), named.get("memory_format")


def _shown_type(value):
    cls = type(value)
    return f"torch.{cls.__name__}" if cls.__module__.startswith("torch") else cls.__name__


def _invalid_to(args, kwargs):
    kinds = [_shown_type(a) for a in args]
    kinds += [f"{name}={_shown_type(value)}" for name, value in kwargs.items()]
    if kwargs and not args:
        kinds.append("")
    common = "bool non_blocking = False, bool copy = False, *, torch.memory_format memory_format = None"
    return (
        "to() received an invalid combination of arguments - "
        f"got ({', '.join(kinds)}), but expected one of:\n"
        f" * (torch.device device = None, torch.dtype dtype = None, {common})\n"
        f" * (torch.dtype dtype, {common})\n"
        f" * (Tensor tensor, {common})\n"
    )
