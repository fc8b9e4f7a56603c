"""The older names of torch.amp's classes for this device."""

import warnings

import torch

from ...amp import autocast as _autocast
from ...amp.grad_scaler import GradScaler as _GradScaler

__all__ = ["autocast", "custom_bwd", "custom_fwd", "GradScaler"]


def _deprecated(name):
    warnings.warn(
        f"`torch.cuda.amp.{name}(args...)` is deprecated. Please use `torch.amp.{name}('cuda', args...)` instead.",
        FutureWarning,
        stacklevel=3,
    )


class autocast(_autocast):
    """torch.amp.autocast("cuda")."""

    def __init__(self, enabled=True, dtype=torch.float16, cache_enabled=True):
        _deprecated("autocast")
        super().__init__("cuda", enabled=enabled, dtype=dtype, cache_enabled=cache_enabled)


class GradScaler(_GradScaler):
    """torch.amp.GradScaler("cuda")."""

    def __init__(
        self, init_scale=2.0**16, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000, enabled=True
    ):
        _deprecated("GradScaler")
        super().__init__("cuda", init_scale, growth_factor, backoff_factor, growth_interval, enabled)


def _older(name):
    def decorator(f=None, **options):
        warnings.warn(
            f"`torch.cuda.amp.{name}(args...)` is deprecated. Please use `torch.amp.{name}(args..., device_type='cuda')` instead.",
            FutureWarning,
            stacklevel=2,
        )
        return getattr(torch.amp, name)(f, device_type="cuda", **options)

    return decorator


custom_fwd, custom_bwd = _older("custom_fwd"), _older("custom_bwd")
