"""Graphs of programs as data are not there: what makes one says so when it is used."""

from ._namespace import missing


def wrap(fn_or_name):
    """Marks a function as one that a tracer leaves whole."""
    return fn_or_name


__getattr__ = missing(__name__)
