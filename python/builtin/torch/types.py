"""Names for annotations."""

from typing import Any, List, Sequence, Tuple, Union

from torch._namespace import missing

from ._device import device
from ._dtypes import dtype
from ._formats import layout, memory_format
from ._size import Size
from ._tensor import Tensor

_TensorOrTensors = Union[Tensor, Sequence[Tensor]]
_dtype, _device, _layout, _qscheme = dtype, device, layout, Any
_size = Union[Size, List[int], Tuple[int, ...]]
Number = (int, float, bool)
_int, _float, _bool = int, float, bool
Device = Union[device, str, int, None]
Storage = Any
FileLike = Any
__all__ = ["Number", "Device", "FileLike", "Storage", "memory_format"]


__getattr__ = missing(__name__)
