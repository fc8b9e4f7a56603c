"""Special functions."""

from ._namespace import fill, missing

fill(__name__)
__getattr__ = missing(__name__)
