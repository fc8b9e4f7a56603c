"""The error for what real PyTorch has and the built-in engine has not."""


class Unsupported(NotImplementedError):
    """Something of PyTorch that gradtui's built-in engine does not have.

    How the program runs on PyTorch instead depends on the machine; gradtui says it at the end.
    """

    __module__ = "torch"


def error(what):
    """The exception that says that something is missing."""
    return Unsupported("gradtui's built-in engine does not have " + what)


def unsupported(what, *_, **__):
    """Raises the exception that says that something is missing."""
    raise error(what)
