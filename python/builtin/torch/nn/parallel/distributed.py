"""Where programs look for the class of processes that train together."""

from . import DistributedDataParallel

__all__ = ["DistributedDataParallel"]
