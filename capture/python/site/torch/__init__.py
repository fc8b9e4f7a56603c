"""gradtui's stand-in for PyTorch: the names are PyTorch's, the work is done by the
engine in the gradtui process."""

__version__ = "2.6.0+gradtui"

from . import _engine
from ._device import device
from ._dtypes import BY_NAME as _DTYPES
from ._dtypes import dtype, finfo, iinfo
from ._names import NAMES as _NAMES
from ._size import Size
from ._tensor import Tensor

globals().update(_DTYPES)
for _name in _NAMES["torch"].split():
    if _name not in globals():
        globals()[_name] = _engine.function("torch." + _name)

from math import e, inf, nan, pi  # noqa: E402

# Parts that are loaded when they are asked for, and the names that they lend to torch.
_PARTS = (
    "_C amp autograd backends cpu cuda distributions fft func jit linalg mps nn optim overrides random special "
    "testing utils version"
).split()
_LENT = {
    "no_grad": "autograd.grad_mode", "enable_grad": "autograd.grad_mode", "set_grad_enabled": "autograd.grad_mode",
    "inference_mode": "autograd.grad_mode", "vmap": "func", "autocast": "amp",
    "is_inference_mode_enabled": "autograd.grad_mode", "is_anomaly_enabled": "autograd.anomaly_mode",
    "is_anomaly_check_nan_enabled": "autograd.anomaly_mode", "set_anomaly_enabled": "autograd.anomaly_mode",
}  # fmt: skip


def __getattr__(name):
    from importlib import import_module

    if name in _PARTS:
        return import_module("torch." + name)
    if name in _LENT:
        value = globals()[name] = getattr(import_module("torch." + _LENT[name]), name)
        return value
    raise AttributeError("module 'torch' has no attribute '%s'" % name)


from . import autograd  # noqa: E402  tensors get methods from there
