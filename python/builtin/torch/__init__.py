"""gradtui's stand-in for PyTorch: the names are PyTorch's, the work is done by the
engine in the gradtui process."""

from math import e, inf, nan, pi

from . import _engine, _numpy, _removed
from ._device import device
from ._dtypes import BY_NAME as _DTYPES
from ._dtypes import dtype, finfo, iinfo
from ._formats import ALL as _FORMATS
from ._formats import layout, memory_format, qscheme
from ._names import NAMES as _NAMES
from ._namespace import missing as _missing
from ._public import NAMES as _PUBLIC
from ._size import Size
from ._tensor import Tensor
from .random import Generator, default_generator, get_rng_state, initial_seed, manual_seed, seed, set_rng_state
from .torch_version import __version__

globals().update(_DTYPES)
globals().update(_FORMATS)
newaxis = None

from . import _settings

for _name, _value in list(vars(_settings).items()):
    if callable(_value) and getattr(_value, "__module__", "") == _settings.__name__ and not _name.startswith("_"):
        globals()[_name] = _value
for _name in _removed.FUNCTIONS:
    globals()[_name] = _removed.method(_name)

tensor, as_tensor = (_numpy.making("torch." + _name, 0, "data") for _name in ("tensor", "as_tensor"))
asarray = _numpy.making("torch.asarray", 0, "obj", None, _numpy.asarray)

# Functions of the engine; names that are not public are for our own modules.
for _name in _NAMES["torch"].split():
    if _name not in globals() and not _name.endswith("Tensor"):
        globals()[_name] = _engine.function("torch." + _name)

# Parts that are loaded when they are asked for, and the names that they lend to torch.
_PARTS = (
    "_C __future__ _utils accelerator amp autograd backends compiler cpu cuda distributed distributions fft func functional fx hub "
    "jit linalg mps multiprocessing nn onnx optim overrides profiler random return_types serialization sparse special storage "
    "testing torch_version types utils version xpu"
).split()
_LENT = {
    "autograd.grad_mode": "no_grad enable_grad set_grad_enabled inference_mode is_inference_mode_enabled",
    "autograd.anomaly_mode": "set_anomaly_enabled is_anomaly_enabled is_anomaly_check_nan_enabled",
    "func": "vmap",
    "amp": "autocast GradScaler",
    "amp.autocast_mode": "is_autocast_enabled is_autocast_cpu_enabled get_autocast_dtype",
    "compiler": "compile",
    "serialization": "save load",
    "storage": "UntypedStorage TypedStorage",
    "_numpy": "from_numpy frombuffer",
    "_legacy": "FloatTensor DoubleTensor HalfTensor BFloat16Tensor ByteTensor CharTensor ShortTensor IntTensor LongTensor "
    "BoolTensor",
    "_composed": "broadcast_shapes unravel_index gradient norm_except_dim lu svd_lowrank pca_lowrank segment_reduce nuclear_norm "
    "frobenius_norm detach_ zero_ align_tensors empty_permuted histogramdd",
    "_VF": "lstm gru rnn_tanh rnn_relu lstm_cell gru_cell rnn_tanh_cell rnn_relu_cell",
    "cuda": "OutOfMemoryError",
}
_OWNER = {name: part for part, names in _LENT.items() for name in names.split()}

_lacking = _missing(__name__)


def __getattr__(name):
    from importlib import import_module

    if name in _PARTS:
        return import_module("torch." + name)
    if name in _OWNER:
        value = globals()[name] = getattr(import_module("torch." + _OWNER[name]), name)
        return value
    if name.endswith("Storage"):
        from .storage import LEGACY

        if name in LEGACY:
            return LEGACY[name]
    return _lacking(name)


def __dir__():
    return sorted(set(globals()) | set(_PUBLIC["torch"].split()))


from . import autograd
