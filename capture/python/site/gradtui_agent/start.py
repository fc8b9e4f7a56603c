"""The beginning and the end of a program.

gradtui starts `python PROGRAM ARGUMENTS` with our folder first on PYTHONPATH, so
everything about the start is Python's own. The environment is put back before the
program begins: the processes that it starts are not recorded, and find the torch
that is installed.
"""

import os
from os.path import dirname

channel = None  # the folder of the channel to the engine
variables = None  # names of global variables that gradtui asks for at the end


def hide():
    """Makes the environment what it was before gradtui came."""
    global channel, variables
    first, _, others = os.environ.get("PYTHONPATH", "").partition(os.pathsep)
    if first == dirname(dirname(__file__)):
        if others:
            os.environ["PYTHONPATH"] = others
        else:
            del os.environ["PYTHONPATH"]
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
