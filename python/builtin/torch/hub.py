"""Models from the network, which the built-in engine does not load."""

import os

from ._namespace import missing
from .serialization import MAP_LOCATION  # noqa: F401

_chosen = []


def get_dir():
    """The folder of what was loaded."""
    if _chosen:
        return _chosen[0]
    home = os.environ.get("TORCH_HOME", os.path.join(os.environ.get("XDG_CACHE_HOME", "~/.cache"), "torch"))
    return os.path.join(os.path.expanduser(home), "hub")


def set_dir(d):
    _chosen[:] = [os.path.expanduser(d)]


__getattr__ = missing(__name__)
