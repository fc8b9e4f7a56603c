"""Python's processes, which cannot use torch here."""

import multiprocessing
import sys
from multiprocessing import *

from ._namespace import missing

__all__ = ["set_sharing_strategy", "get_sharing_strategy", "get_all_sharing_strategies"] + multiprocessing.__all__
_all_sharing_strategies = {"file_system"} if sys.platform in ("darwin", "win32") else {"file_descriptor", "file_system"}
_sharing_strategy = sorted(_all_sharing_strategies)[0]


def set_sharing_strategy(new_strategy):
    """Says how tensors would be shared."""
    global _sharing_strategy
    assert new_strategy in _all_sharing_strategies
    _sharing_strategy = new_strategy


def get_sharing_strategy():
    return _sharing_strategy


def get_all_sharing_strategies():
    return _all_sharing_strategies


__getattr__ = missing(__name__)
