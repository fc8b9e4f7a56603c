"""autocast: a block in which operations would choose their dtypes.

On the CPU it is a mode of functions (_casting), the one that is asked last. There is no other
device: autocast for one that PyTorch does not disable cannot be entered.
"""

import functools
import warnings

import torch
from torch._engine import later, modes
from torch._namespace import missing
from torch._unsupported import unsupported

from ._casting import Casting

__all__ = ["autocast_decorator", "autocast", "is_autocast_available", "custom_fwd", "custom_bwd"]

_DEVICES = ("cpu", "cuda", "xpu", "mps", "hpu", "ipu", "xla", "mtia", "maia")
_CPU_DTYPES = (torch.bfloat16, torch.float16)


def is_autocast_available(device_type):
    """Whether PyTorch knows autocast for a type of device."""
    return device_type in _DEVICES


def autocast_decorator(autocast_instance, func):
    """The function, called within autocast."""

    @functools.wraps(func)
    def decorated(*args, **kwargs):
        with autocast_instance:
            return func(*args, **kwargs)

    return decorated


_active = []  # the mode, if autocast is on


def _switch(mode):
    """Makes a mode the only one of its kind; None switches autocast off."""
    for old in _active:
        if old in modes:
            modes.remove(old)
    _active[:] = [mode] if mode else []
    modes[:0] = _active
    later("autograd.set_autocast", bool(_active))


def is_autocast_enabled(device_type=None):
    """Whether autocast is on: for the GPU if no device is named."""
    return device_type == "cpu" and bool(_active)


def is_autocast_cpu_enabled():
    warnings.warn(
        "torch.is_autocast_cpu_enabled() is deprecated. Please use torch.is_autocast_enabled('cpu') instead.",
        DeprecationWarning,
        stacklevel=2,
    )
    return bool(_active)


def get_autocast_dtype(device_type):
    """The dtype that operations would choose."""
    if device_type == "cpu":
        return _active[0].dtype if _active else torch.bfloat16
    return torch.float16


class autocast:
    """The block; a decorator, too."""

    def __init__(self, device_type, dtype=None, enabled=True, cache_enabled=None):
        if not isinstance(device_type, str):
            raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
        if dtype is None:
            torch.device(device_type)  # refuses unknown devices
        if not is_autocast_available(device_type):
            raise RuntimeError(f"User specified an unsupported autocast device_type '{device_type}'")
        self.device = device_type
        default = torch.bfloat16 if device_type in ("cpu", "xla", "hpu") else torch.float16
        self.fast_dtype = default if dtype is None else dtype
        self._cache_enabled = True if cache_enabled is None else cache_enabled
        if enabled and device_type == "cuda":
            warnings.warn("User provided device_type of 'cuda', but CUDA is not available. Disabling")
            enabled = False
        if enabled and device_type == "cpu" and self.fast_dtype not in _CPU_DTYPES:
            warnings.warn(
                "In CPU autocast, but the target dtype is not supported. Disabling autocast.\n"
                "CPU Autocast only supports dtype of " + ", ".join(map(str, _CPU_DTYPES)) + " currently."
            )
            enabled = False
        self._enabled = enabled
        self._before = []

    def __enter__(self):
        if self._enabled and self.device != "cpu":
            unsupported(f"torch.autocast on {self.device}")
        if self.device == "cpu":
            self._before.append(_active[:])
            around = _active[0] if _active else None
            if self._enabled:
                cache = (around.cache if around else {}) if self._cache_enabled else None
                _switch(Casting(self.fast_dtype, cache))
            else:
                _switch(None)

    def __exit__(self, exc_type, exc_val, exc_tb):
        if self.device == "cpu":
            before = self._before.pop()
            _switch(before[0] if before else None)
        return False

    def __call__(self, func):
        return autocast_decorator(self, func)


def _enter_autocast(*vals):
    mode = autocast(*vals)
    mode.__enter__()
    return mode


def _exit_autocast(mode):
    mode.__exit__(None, None, None)


def _check_device_type(device_type):
    if not isinstance(device_type, str):
        raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")


def custom_fwd(fwd=None, *, device_type, cast_inputs=None):
    """Decorates the forward of a Function that has a way with autocast of its own."""
    _check_device_type(device_type)
    if fwd is None:
        return functools.partial(custom_fwd, device_type=device_type, cast_inputs=cast_inputs)

    @functools.wraps(fwd)
    def decorated(*args, **kwargs):
        args[0]._dtype = torch.bfloat16 if device_type == "cpu" else torch.float16
        args[0]._fwd_used_autocast = False
        return fwd(*args, **kwargs)

    return decorated


def custom_bwd(bwd=None, *, device_type):
    """Decorates the backward of a Function whose forward has custom_fwd."""
    _check_device_type(device_type)
    if bwd is None:
        return functools.partial(custom_bwd, device_type=device_type)

    @functools.wraps(bwd)
    def decorated(*args, **kwargs):
        with autocast(device_type=device_type, enabled=args[0]._fwd_used_autocast, dtype=args[0]._dtype):
            return bwd(*args, **kwargs)

    return decorated


__getattr__ = missing(__name__)
