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
