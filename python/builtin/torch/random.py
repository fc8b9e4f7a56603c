"""Random number generators of the engine."""

import contextlib
import os

from . import _objects, _values
from ._device import CPU
from ._device import device as _device
from ._engine import call

__all__ = ["set_rng_state", "get_rng_state", "manual_seed", "seed", "initial_seed", "fork_rng"]


class Generator:
    """A random number generator with a state of its own."""

    __slots__ = ("_n", "__weakref__")
    __module__ = "torch._C"

    def __init__(self, device="cpu"):
        kind = _device(device).type
        if kind != "cpu":
            raise RuntimeError("Device type %s is not supported for torch.Generator() api." % kind.upper())
        self._n = call("generator.new")

    def __del__(self, gone=_objects.dead.append):
        if getattr(self, "_n", 0):
            gone(-self._n)

    @property
    def device(self):
        return CPU

    def manual_seed(self, seed):
        """Begins the sequence of a seed."""
        if not hasattr(type(seed), "__index__"):
            raise TypeError("manual_seed expected a long, but got " + type(seed).__name__)
        seed = seed.__index__()
        if not -(2**63) <= seed < 2**64:
            raise RuntimeError("Overflow when unpacking long")
        call("generator.manual_seed", (self._n, seed))
        return self

    def seed(self):
        """Begins the sequence of a random seed, which it returns."""
        seed = int.from_bytes(os.urandom(8), "little")
        call("generator.manual_seed", (self._n, seed))
        return seed

    def initial_seed(self):
        return call("generator.initial_seed", (self._n,))

    def get_state(self):
        """The state as a tensor of bytes."""
        return call("generator.get_state", (self._n,))

    def set_state(self, new_state):
        if not isinstance(new_state, _objects.Tensor):
            raise TypeError("expected a torch.ByteTensor, but got " + type(new_state).__name__)
        if new_state.dtype.name != "uint8":
            raise TypeError("RNG state must be a torch.ByteTensor")
        call("generator.set_state", (self._n, new_state))
        return self

    def clone_state(self):
        return Generator().set_state(self.get_state())

    graphsafe_get_state = get_state
    graphsafe_set_state = set_state

    def get_offset(self):
        raise RuntimeError("CPU Generator does not use offset")

    def set_offset(self, offset):
        raise RuntimeError("CPU Generator does not use offset")

    def __reduce__(self):
        return _restored, (self.initial_seed(), self.get_state())


Generator.__qualname__ = "Generator"


def _restored(seed, state):
    return Generator().set_state(state)


def _default():
    g = object.__new__(Generator)
    g._n = 0
    return g


default_generator = _default()
_values.converters[Generator] = lambda g: (b"g", g._n)


def manual_seed(seed):
    """Seeds the default generator and returns it."""
    return default_generator.manual_seed(int(seed))


def seed():
    """Seeds the default generator with a random number, which it returns."""
    return default_generator.seed()


def initial_seed():
    return default_generator.initial_seed()


def get_rng_state():
    return default_generator.get_state()


def set_rng_state(new_state):
    default_generator.set_state(new_state)


@contextlib.contextmanager
def fork_rng(devices=None, enabled=True, _caller="fork_rng", _devices_kw="devices", device_type="cuda"):
    """A context after which the default generator is where it was before."""
    if not enabled or device_type == "meta":
        yield
        return
    state = get_rng_state()
    try:
        yield
    finally:
        set_rng_state(state)
