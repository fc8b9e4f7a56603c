"""Profiling: PyTorch's own; here the ranges do nothing and nothing is measured."""

from torch._namespace import missing
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


class Profile:
    """A block that would be profiled: it runs, and what it would have measured is not there."""

    _what = "torch.autograd.profiler.profile"

    def start(self):
        pass

    stop = start

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        self.stop()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *args, **kwargs: unsupported(self._what + "." + name)


class profile(Profile):
    """The same in its older form."""

    def __init__(self, enabled=True, **options):
        self.enabled = enabled


__getattr__ = missing(__name__)
