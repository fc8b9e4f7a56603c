"""Models for other programs, which the built-in engine does not write."""

from ._namespace import missing


def is_in_onnx_export():
    return False


__getattr__ = missing(__name__)
