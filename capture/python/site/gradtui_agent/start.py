"""The beginning and the end of a program.

gradtui starts `python PROGRAM ARGUMENTS` with our folder first on PYTHONPATH, so
everything about the start is Python's own. The processes that the program starts
find the same torch, but not the channel: they are not recorded.
"""

import os

channel = None  # the folder of the channel to the engine
variables = None  # names of global variables that gradtui asks for at the end


def hide():
    """Takes what only this process may know out of the environment."""
    global channel, variables
    channel = os.environ.pop("GRADTUI_CHANNEL", None)
    variables = os.environ.pop("GRADTUI_VARIABLES", None)


def recording(call, flush, tensor):
    """The program has imported torch. call calls the engine, flush sends what has
    not been sent, tensor is the class of tensors."""
    import atexit

    from . import tracebacks

    tracebacks.install()
    atexit.register(_end, os.getpid(), call, flush, tensor)


def _end(pid, call, flush, tensor):
    """The program is at its end."""
    if os.getpid() != pid:
        return  # a fork: the engine belongs to its parent
    import sys

    from . import names
    from .variables import report

    main = sys.modules["__main__"].__dict__
    names.bind_all(main)
    if variables:
        report(variables.split(","), call, tensor)
    flush()
