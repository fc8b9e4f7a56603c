"""Modules on several devices. There is the CPU only, on which DataParallel calls its
module and does nothing else, as in PyTorch."""

from torch import _unsupported

from ..modules.module import Module
from torch._namespace import missing

__all__ = ["DataParallel", "DistributedDataParallel", "data_parallel"]


class DataParallel(Module):
    """Calls a module."""

    def __init__(self, module, device_ids=None, output_device=None, dim=0):
        super().__init__()
        self.module = module
        self.device_ids = []

    def forward(self, *inputs, **kwargs):
        return self.module(*inputs, **kwargs)


def data_parallel(module, inputs, device_ids=None, output_device=None, dim=0, module_kwargs=None):
    """Calls a module on several devices, which there are not."""
    raise RuntimeError("device type could not be determined")


class DistributedDataParallel(Module):
    """Processes that train together, which there are not."""

    def __init__(self, *args, **kwargs):
        _unsupported.unsupported("torch.nn.parallel.DistributedDataParallel")


__getattr__ = missing(__name__)
