"""Profiling: PyTorch's own; here the ranges do nothing and the profiler is not there."""

from torch._unsupported import unsupported

from .grad_mode import _DecoratorContextManager


class record_function(_DecoratorContextManager):
    """A named range of a profile."""

    def __init__(self, name, args=None):
        self.name = name
        self.args = args

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        pass

    def clone(self):
        return self.__class__(self.name, self.args)


class profile:
    """Not there."""

    def __init__(self, enabled=True, **options):
        self.enabled = enabled
        if enabled:
            unsupported("torch.autograd.profiler.profile")

    def __enter__(self):
        return None

    def __exit__(self, exc_type, exc_value, traceback):
        pass


def emit_nvtx(*args, **kwargs):
    """Not there."""
    unsupported("torch.autograd.profiler.emit_nvtx")
