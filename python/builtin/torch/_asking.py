"""What answers to the debugger need of the engine."""

from contextlib import contextmanager

from . import _channel, _dispatch, _engine
from ._protocol import WORD_CANCEL


def prepare(asking):
    """Gives the module that answers what it needs."""
    asking.tensor = _engine.Tensor
    asking.number = lambda t: t._h
    asking.cancelled = lambda: bool(_channel._words[WORD_CANCEL])
    asking.apart = apart


@contextmanager
def apart():
    """What is not part of the run, and must not change it."""
    modes, off = _engine.modes[:], _dispatch.off[:]
    _engine.modes.clear()
    _engine.call("aside.begin")
    _engine.modes[:] = modes
    try:
        yield None
    finally:
        _engine.modes.clear()
        _engine.call("aside.end")
        _engine.modes[:], _dispatch.off[:] = modes, off
