"""There is no GPU: what programs ask before they use one."""

import contextlib

from .._namespace import missing

has_half = has_magma = False
default_generators = ()


def _no_gpu(*args, **kwargs):
    raise AssertionError("Torch not compiled with CUDA enabled")


def is_available():
    return False


is_initialized = is_bf16_supported = is_current_stream_capturing = _is_in_bad_fork = is_available


def device_count():
    return 0


def _zero(*args, **kwargs):
    return 0


memory_allocated = max_memory_allocated = memory_reserved = max_memory_reserved = memory_cached = max_memory_cached = _zero


def _nothing(*args, **kwargs):
    return None


empty_cache = manual_seed = manual_seed_all = seed_all = ipc_collect = _nothing

init = current_device = synchronize = get_device_name = get_device_properties = get_device_capability = _no_gpu
current_stream = default_stream = mem_get_info = get_rng_state = set_rng_state = seed = initial_seed = _no_gpu
memory_stats = _no_gpu


def get_rng_state_all():
    return []


def set_rng_state_all(new_states):
    for state in new_states:
        set_rng_state(state)


def get_arch_list():
    return []


def set_device(device):
    _no_gpu()


class device:
    """A context for a GPU; without one it does nothing."""

    def __init__(self, device):
        self.idx = device

    def __enter__(self):
        pass

    def __exit__(self, *exc):
        return False


@contextlib.contextmanager
def stream(stream):
    yield


class _Dummy:
    def __init__(self, *args, **kwargs):
        raise RuntimeError("Tried to instantiate dummy base class " + type(self).__name__)


class Stream(_Dummy):
    pass


class Event(_Dummy):
    pass


class CUDAGraph(_Dummy):
    pass


OutOfMemoryError = type("OutOfMemoryError", (RuntimeError,), {"__module__": "torch"})


def _tensor_type(name):
    class cls:
        def __new__(cls, *args, **kwargs):
            raise TypeError("type torch.cuda.%s not available. Torch not compiled with CUDA enabled." % name)

    cls.__name__ = cls.__qualname__ = name
    cls.__module__ = "torch.cuda"
    return cls


for _name in "Float Double Half BFloat16 Byte Char Short Int Long Bool".split():
    globals()[_name + "Tensor"] = _tensor_type(_name + "Tensor")

_missing = missing(__name__)


__getattr__ = missing(__name__)
