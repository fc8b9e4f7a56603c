"""The beginning and the end of a program.

gradtui starts `python PROGRAM ARGUMENTS` with our folder first on PYTHONPATH, so
everything about the start is Python's own. The environment is put back before the
program begins: the processes that it starts are not recorded, and find the torch
that is installed. Only a program that is there to start the ranks of a distributed
one, as torchrun does, leaves it to them, and is not recorded itself.
"""

import os

from . import imports

TYPE_CHECKING = False  # typing is not imported for it
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

channel: "str | None" = None  # the folder of the channel to the engine
records: "str | None" = None  # the folder where records of real PyTorch are taken
variables: "str | None" = None  # names of global variables that gradtui asks for at the end
edited: "str | None" = None  # the folder of texts that some source files have instead of their own


def hide(folder: str) -> None:
    """Makes the environment what it was before gradtui came, with a folder of ours first
    on the path."""
    global channel, records, variables, edited
    ranks = os.environ.get("GRADTUI_RANKS")
    if ranks == "launcher":  # the first process, which may have the RANK of its machine
        os.environ["GRADTUI_RANKS"] = "ranks"
        return
    if ranks and not os.environ.get("RANK"):
        return
    os.environ.pop("GRADTUI_RANKS", None)
    first, _, others = os.environ.get("PYTHONPATH", "").partition(os.pathsep)
    if first == folder:
        if others:
            os.environ["PYTHONPATH"] = others
        else:
            del os.environ["PYTHONPATH"]
    channel = os.environ.pop("GRADTUI_CHANNEL", None)
    records = os.environ.pop("GRADTUI_RECORDS", None)
    variables = os.environ.pop("GRADTUI_VARIABLES", None)
    edited = os.environ.pop("GRADTUI_EDITED", None)


def make_way(folder: str) -> None:
    """Imports the sitecustomize that Python would have found without the one in a folder."""
    import sys
    from _frozen_importlib import module_from_spec  # others would be there when the program looks for its own
    from _frozen_importlib_external import PathFinder

    spec = PathFinder.find_spec("sitecustomize", [p for p in sys.path if p != folder])
    if spec is None:
        # The site module takes this for what it is: there is none.
        raise ImportError("No module named 'sitecustomize'", name="sitecustomize")
    module = sys.modules["sitecustomize"] = module_from_spec(spec)
    spec.loader.exec_module(module)


def wait_for_torch() -> None:
    """Records from the moment when the program has imported torch."""
    if records:
        imports.when_imported("torch", int, _begin)


def _begin(torch_is_there: bool) -> None:
    if not torch_is_there:
        return
    with imports.Apart():
        from .._recorder import start, wire

    try:
        start.begin(records, variables.split(",") if variables else ())
    except (OSError, wire.Refused):
        pass  # gradtui says what is missing on the tape


def recording(call: "Callable[..., Any]", flush: "Callable[[], object]", tensor: type) -> None:
    """The program has imported torch. call calls the engine, flush sends what has
    not been sent, tensor is the class of tensors."""
    import atexit

    from . import tracebacks

    tracebacks.install()
    atexit.register(_end, os.getpid(), call, flush, tensor)


def _end(pid: int, call: "Callable[..., Any]", flush: "Callable[[], object]", tensor: type) -> None:
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
