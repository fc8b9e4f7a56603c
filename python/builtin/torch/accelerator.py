"""There is no accelerator."""

from ._namespace import missing


def is_available():
    return False


def device_count():
    return 0


def current_accelerator():
    return None


__getattr__ = missing(__name__)
