"""autocast: a block in which operations would choose their dtypes.

The engine computes in the dtypes that it is given, so only autocast that is
disabled, or that PyTorch disables on a machine without the device, can be entered.
"""

import functools
import warnings

import torch
from torch._unsupported import unsupported
from torch._namespace import missing

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


class autocast:
    """The block; a decorator, too."""

    def __init__(self, device_type, dtype=None, enabled=True, cache_enabled=None):
        if not isinstance(device_type, str):
            raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
        if dtype is None:
            torch.device(device_type)  # refuses what is no device
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

    def __enter__(self):
        if self._enabled:
            unsupported(f"torch.autocast on {self.device}")

    def __exit__(self, exc_type, exc_val, exc_tb):
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
