"""The error for what real PyTorch has and the built-in engine has not."""

import sys


class Unsupported(NotImplementedError):
    """Something of PyTorch that gradtui's built-in engine does not have."""

    __module__ = "torch"


_advice = []


def advice():
    """How the program runs on real PyTorch."""
    if not _advice:
        from importlib.machinery import PathFinder
        from os.path import dirname

        ours = dirname(dirname(__file__))
        if PathFinder.find_spec("torch", [p for p in sys.path if p != ours]):
            _advice.append("To run this program on the PyTorch of this Python: `--engine torch`.")
        else:
            _advice.append("To run this program on real PyTorch: `pip install torch`, then `--engine torch`.")
    return _advice[0]


def error(what):
    """The exception that says that something is missing."""
    return Unsupported("gradtui's built-in engine does not have %s. %s" % (what, advice()))


def of_engine(text):
    """The exception for an error of the engine that says so."""
    return Unsupported(text if text.endswith(advice()) else text + ". " + advice())


def unsupported(what, *_, **__):
    """Raises the exception that says that something is missing."""
    raise error(what)
