"""NumPy arrays. The engine is another process, so arrays are copies: those that
numpy() makes are read-only, and from_numpy copies what it gets."""

from . import _dtypes
from ._engine import call

_PAIRS = {name: name for name in "uint8 int8 int16 int32 int64 float16 float32 float64".split()}
_PAIRS["bool"] = "bool"


def to_numpy(t, force=False):
    if force:
        t = t.detach()
    t = call("Tensor.numpy", (t,))  # raises if it requires grad
    import numpy

    name = t.dtype.name
    if name not in _PAIRS:
        raise TypeError("Got unsupported ScalarType BFloat16")
    return numpy.frombuffer(call("tensor.bytes", (t,)), dtype=_PAIRS[name]).reshape(tuple(t.shape))


def from_numpy(array):
    """A tensor with the elements of an array."""
    import sys

    numpy = sys.modules.get("numpy")
    if numpy is None or not isinstance(array, numpy.ndarray):
        raise TypeError("expected np.ndarray (got %s)" % type(array).__name__)
    name = array.dtype.name
    if name not in _PAIRS:
        raise TypeError(
            "can't convert np.ndarray of type numpy.%s. The only supported types are: float64, float32, float16, complex64, "
            "complex128, int64, int32, int16, int8, uint64, uint32, uint16, uint8, and bool." % array.dtype.type.__name__
        )
    data = numpy.ascontiguousarray(array).tobytes()
    return call("tensor.from_bytes", (_dtypes.ALL[name], array.shape, data))


def is_array(v):
    return hasattr(v, "__array_interface__") and hasattr(v, "tobytes")


def frombuffer(buffer, *, dtype, count=-1, offset=0, requires_grad=False):
    """A tensor with a copy of the bytes of a buffer."""
    data = memoryview(buffer).cast("B")[offset:]
    size = dtype.itemsize
    if len(memoryview(buffer).cast("B")) == 0:
        raise ValueError("both buffer length (0) and count (%d) must not be 0" % count)
    if count < 0:
        if len(data) % size:
            raise ValueError(
                "buffer length (%d bytes) after offset (%d bytes) must be a multiple of element size (%d)"
                % (len(data), offset, size)
            )
        count = len(data) // size
    if count * size > len(data):
        raise ValueError(
            "requested buffer length (%d * %d bytes) after offset (%d bytes) must not be greater than actual buffer length "
            "(%d bytes)" % (count, size, offset, len(memoryview(buffer).cast("B")))
        )
    t = call("tensor.from_bytes", (dtype, (count,), bytes(data[: count * size])))
    return t.requires_grad_(True) if requires_grad else t
