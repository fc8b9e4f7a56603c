"""The older names of torch.amp's classes for this device."""

import warnings

import torch

from ...amp import autocast as _autocast
from ...amp.grad_scaler import GradScaler as _GradScaler

__all__ = ["autocast", "GradScaler"]


def _deprecated(name):
    warnings.warn(
        f"`torch.cpu.amp.{name}(args...)` is deprecated. Please use `torch.amp.{name}('cpu', args...)` instead.",
        FutureWarning,
        stacklevel=3,
    )


class autocast(_autocast):
    """torch.amp.autocast("cpu")."""

    def __init__(self, enabled=True, dtype=torch.bfloat16, cache_enabled=True):
        _deprecated("autocast")
        super().__init__("cpu", enabled=enabled, dtype=dtype, cache_enabled=cache_enabled)


class GradScaler(_GradScaler):
    """torch.amp.GradScaler("cpu")."""

    def __init__(
        self, init_scale=2.0**16, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000, enabled=True
    ):
        _deprecated("GradScaler")
        super().__init__("cpu", init_scale, growth_factor, backoff_factor, growth_interval, enabled)
