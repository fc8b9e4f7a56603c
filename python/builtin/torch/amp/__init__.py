"""Automatic mixed precision: autocast and the scaling of losses."""

from .autocast_mode import _enter_autocast, _exit_autocast, autocast, custom_bwd, custom_fwd, is_autocast_available
from .grad_scaler import GradScaler
from torch._namespace import missing


__getattr__ = missing(__name__)
