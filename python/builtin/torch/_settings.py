"""Settings of the whole program: the default dtype and device, printing, threads."""

import os
import warnings

from . import _dtypes
from ._device import CPU
from ._engine import Tensor, call

# Printing.


class _PrintOptions:
    precision = 4
    threshold = 1000
    edgeitems = 3
    linewidth = 80
    sci_mode = None


PRINT_OPTS = _PrintOptions()
_PROFILES = {"default": (4, 1000, 3, 80), "short": (2, 1000, 2, 80), "full": (4, float("inf"), 3, 80)}


def set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, profile=None, sci_mode=None):
    """How tensors print from now on."""
    names = "precision", "threshold", "edgeitems", "linewidth"
    for name, value in zip(names, _PROFILES.get(profile, (None,) * 4)):
        if value is not None:
            setattr(PRINT_OPTS, name, value)
    for name, value in zip(names, (precision, threshold, edgeitems, linewidth)):
        if value is not None:
            setattr(PRINT_OPTS, name, value)
    PRINT_OPTS.sci_mode = sci_mode
    scientific = None if sci_mode is None else bool(sci_mode)
    o = PRINT_OPTS
    call("settings.print", (o.precision, o.threshold, o.edgeitems, o.linewidth, None, scientific))


# The default dtype and device.


def set_default_dtype(d):
    """The dtype of tensors that are made of floats."""
    if not isinstance(d, _dtypes.dtype):
        raise TypeError("invalid dtype object: only floating-point types are supported as the default type")
    if not d.is_floating_point:
        raise TypeError("only floating-point types are supported as the default type")
    call("settings.default_dtype", (d,))


def set_default_tensor_type(t):
    warnings.warn(
        "torch.set_default_tensor_type() is deprecated as of PyTorch 2.1, please use torch.set_default_dtype() and "
        "torch.set_default_device() as alternatives.",
        stacklevel=2,
    )
    name = t if isinstance(t, str) else getattr(t, "__module__", "") + "." + getattr(t, "__name__", "")
    for dtype, short in _dtypes.TYPE_NAMES.items():
        if name == "torch." + short:
            return set_default_dtype(_dtypes.ALL[dtype])
    raise TypeError("invalid type object: only floating-point types are supported as the default type")


def get_default_device():
    return _device_of_context[-1] if _device_of_context else CPU


_device_of_context = []


def set_default_device(device):
    """The device of new tensors: only the CPU is there."""
    from ._device import check

    check(device)


def get_device(input):
    return input.get_device()


# What a value is.


def _a_tensor(name, input):
    if not isinstance(input, Tensor):
        raise TypeError("%s(): argument 'input' (position 1) must be Tensor, not %s" % (name, type(input).__name__))
    return input


def is_tensor(obj):
    return isinstance(obj, Tensor)


def numel(input):
    return _a_tensor("numel", input).numel()


def is_storage(obj):
    from .storage import TypedStorage, UntypedStorage

    return isinstance(obj, (TypedStorage, UntypedStorage))


def is_complex(input):
    return _a_tensor("is_complex", input).is_complex()


def is_signed(input):
    return _a_tensor("is_signed", input).is_signed()


def is_conj(input):
    return _a_tensor("is_conj", input).is_conj()


def is_neg(input):
    return _a_tensor("is_neg", input).is_neg()


def is_inference(input):
    return _a_tensor("is_inference", input).is_inference()


def is_distributed(input):
    return False


def typename(obj):
    """The name of the type of an object; for tensors the legacy one."""
    if isinstance(obj, Tensor):
        return obj.type()
    module = getattr(obj, "__module__", "") or ""
    if module in ("", "builtins", "__builtin__"):
        module = ""
    name = getattr(obj, "__qualname__", None) or getattr(obj, "__name__", None)
    if name is None:
        cls = type(obj)
        module = "" if cls.__module__ == "builtins" else cls.__module__
        name = cls.__qualname__
    return module + "." + name if module else name


# Threads, determinism and the like: kept, and without effect.

_values = {
    "threads": int(os.environ.get("OMP_NUM_THREADS") or os.cpu_count() or 1),
    "interop": os.cpu_count() or 1,
    "deterministic": 0,
    "precision": "highest",
    "warn_always": False,
}


def get_num_threads():
    return _values["threads"]


def set_num_threads(n):
    _values["threads"] = _positive("set_num_threads", n)


def get_num_interop_threads():
    return _values["interop"]


def set_num_interop_threads(n):
    _values["interop"] = _positive("set_num_interop_threads", n)


def _positive(name, n):
    if not isinstance(n, int) or isinstance(n, bool):
        raise RuntimeError("%s expects an int, but got %s" % (name, type(n).__name__))
    if n <= 0:
        raise RuntimeError("%s expects a positive integer" % name)
    return n


def use_deterministic_algorithms(mode, *, warn_only=False):
    """The engine is deterministic anyway."""
    _values["deterministic"] = 0 if not mode else 1 if warn_only else 2


def are_deterministic_algorithms_enabled():
    return _values["deterministic"] > 0


def is_deterministic_algorithms_warn_only_enabled():
    return _values["deterministic"] == 1


def get_deterministic_debug_mode():
    return _values["deterministic"]


def set_deterministic_debug_mode(debug_mode):
    names = {"default": 0, "warn": 1, "error": 2}
    if isinstance(debug_mode, str):
        if debug_mode not in names:
            raise RuntimeError(
                "invalid value of debug_mode, expected one of `default`, `warn`, `error`, but got " + debug_mode
            )
        debug_mode = names[debug_mode]
    elif not isinstance(debug_mode, int):
        raise TypeError("debug_mode must be str or int, but got %s" % type(debug_mode))
    if debug_mode not in (0, 1, 2):
        raise RuntimeError("invalid value of debug_mode, expected 0, 1, or 2, but got %s" % debug_mode)
    _values["deterministic"] = debug_mode


def get_float32_matmul_precision():
    return _values["precision"]


def set_float32_matmul_precision(precision):
    if precision not in ("highest", "high", "medium"):
        warnings.warn(
            "%s is not one of 'highest', 'high', or 'medium'; the currentsetFloat32MatmulPrecision call has no effect."
            % precision,
            stacklevel=2,
        )
        return
    _values["precision"] = precision


def set_warn_always(b):
    """Whether warnings that come once come every time."""
    if not isinstance(b, bool):
        raise RuntimeError("setWarnOnlyOnce expects a bool, but got " + type(b).__name__)
    _values["warn_always"] = b
    call("settings.warn_always", (b,))


def is_warn_always_enabled():
    return _values["warn_always"]


def set_flush_denormal(mode):
    return False


def is_vulkan_available():
    return False


def compiled_with_cxx11_abi():
    return True


def init_num_threads():
    pass
