"""Not there: what the built-in engine lacks says so when it is used."""

from ._namespace import missing

__getattr__ = missing(__name__)
