"""Which implementation of scaled dot product attention is used."""

import contextlib
import enum

from torch import _unsupported

__all__ = ["SDPBackend", "sdpa_kernel", "WARN_FOR_UNFUSED_KERNELS"]

WARN_FOR_UNFUSED_KERNELS = False


class SDPBackend(enum.IntEnum):
    """The implementations that PyTorch has."""

    ERROR = -1
    MATH = 0
    FLASH_ATTENTION = 1
    EFFICIENT_ATTENTION = 2
    CUDNN_ATTENTION = 3
    OVERRIDEABLE = 4


@contextlib.contextmanager
def sdpa_kernel(backends, set_priority=False):
    """Chooses implementations. The engine has the one for CPUs, which is flash attention
    where possible; another choice is refused."""
    assert isinstance(backends, (list, SDPBackend)), (
        "Backend must be an instance of SDPBackend or a list of SDPBackend instances"
    )
    chosen = [backends] if isinstance(backends, SDPBackend) else backends
    if SDPBackend.FLASH_ATTENTION not in chosen:
        _unsupported.unsupported("torch.nn.attention.sdpa_kernel without FLASH_ATTENTION")
    yield {}
