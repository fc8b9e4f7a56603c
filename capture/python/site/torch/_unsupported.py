"""The error for what real PyTorch has and the built-in engine has not."""


class Unsupported(NotImplementedError):
    """Something of PyTorch that gradtui's built-in engine does not have."""

    __module__ = "torch"


HELP = "To run this program on real PyTorch: `pip install torch`, then start it with plain `python`."


def error(what):
    """The exception that says that something is missing."""
    return Unsupported("gradtui's built-in engine does not have %s. %s" % (what, HELP))


def unsupported(what, *_, **__):
    """Raises the exception that says that something is missing."""
    raise error(what)
