"""The beginning and the end of recording."""

import atexit
import os
import sys

import torch

from .. import names, notes, start, tracebacks, variables
from . import ops, patch, program, tensors, values, wire

_began = False


def _env(name, default):
    try:
        return int(os.environ.get(name) or default)
    except ValueError:
        return default


def begin(folder, asked=()):
    """Connects to the gradtui that listens in a folder and records from now on. asked
    are names of global variables that gradtui wants to know of at the end."""
    global _began
    if wire.on:
        return
    rank, size = _env("RANK", -1), _env("WORLD_SIZE", 0)
    wire.connect(folder, (1, os.getpid(), str(torch.__version__), rank, size, tuple(sys.argv)))
    names.tensor = tensors.Tensor
    names.bind = bind
    notes.handle = program.number_of
    wire.listen(settle)
    patch.install()
    # What it computes when it is imported is not the program's.
    start.when_imported("torch._dynamo", program.unwatched, program.watched)
    if not _began:
        _began = True
        tracebacks.install()
        os.register_at_fork(after_in_child=forked)
        atexit.register(end, tuple(asked))


def bind(t, name, scope):
    """Names a tensor."""
    if program.active():
        pending = wire.pending
        pending.append(("bind", program.number_of(t), name, scope))


def settle(settings):
    """Does what gradtui asks for."""
    values.level = settings.get("values", 1)
    if wire.on:
        ops.arm(settings)
    ops.attend()


def forked():
    wire.forked()
    ops.attend()


def end(asked=()):
    """The program is at its end: tells what its variables hold, and says good-bye."""
    if not wire.on or wire._pid != os.getpid():
        tensors.refs.clear()
        return
    space = sys.modules["__main__"].__dict__
    names.bind_all(space)
    if asked:
        variables.report(asked, tell_variable, tensors.Tensor)
    wire.pending.append(("bye",))
    wire.flush()
    stop()


def tell_variable(_, args):
    name, kind, mapping, keys, found = args
    wire.pending.append(("variable", name, kind, mapping, tuple(keys), tuple(map(program.number_of, found))))


def stop():
    """Ends recording; the program goes on as if it had never been."""
    wire.stop()
    ops.attend()
    patch.remove()
    tensors.refs.clear()
