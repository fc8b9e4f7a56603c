"""The device that there is."""

from importlib import import_module

from .._namespace import missing


def is_available():
    return True


def device_count():
    return 1


def synchronize(device=None):
    pass


def current_device():
    return "cpu"


_lacking = missing(__name__)


def __getattr__(name):
    return import_module("torch.cpu.amp") if name == "amp" else _lacking(name)
