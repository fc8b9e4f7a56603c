"""NumPy arrays. The engine is another process, so arrays are copies: those that
numpy() makes are read-only, and from_numpy copies what it gets."""

import sys

from gradtui._agent.unseen import unseen

from . import _dtypes, _values
from ._engine import CALLER, Tensor, call, callables, named, number, raw_call
from ._unsupported import unsupported
from ._values import converters, keep, type_name

_PAIRS = {name: name for name in "uint8 int8 int16 int32 int64 float16 float32 float64".split()}
_PAIRS["bool"] = "bool"
_PLAIN = frozenset((int, float, bool, type(None)))


def to_numpy(t, force=False):
    if force:
        t = t.detach()
    t = call("Tensor.numpy", (t,))  # raises if it requires grad
    import numpy

    name = t.dtype.name
    if name not in _PAIRS:
        raise TypeError("Got unsupported ScalarType BFloat16")
    return numpy.frombuffer(call("tensor.bytes", (t,)), dtype=_PAIRS[name]).reshape(tuple(t.shape))


def ndarray(v):
    """Whether a value is an array of NumPy."""
    numpy = sys.modules.get("numpy")
    return isinstance(v, getattr(numpy, "ndarray", ()))


def from_numpy(array):
    """A tensor with the elements of an array."""
    if not ndarray(array):
        raise TypeError("expected np.ndarray (got %s)" % type(array).__name__)
    return call("tensor.from_array", (Array(array),))


class Array:
    """An array or a number of NumPy as messages carry it."""

    __slots__ = ("packed",)

    def __init__(self, v):
        import numpy

        a = numpy.asarray(v)
        if not a.dtype.isnative:
            raise ValueError(
                "given numpy array has byte order different from the native byte order. Conversion between byte orders is "
                "currently not supported."
            )
        if any(s < 0 for s in a.strides):
            raise ValueError(
                "At least one stride in the given numpy array is negative, and tensors with negative strides are not currently "
                "supported. (You can probably work around this by making a copy of your array  with array.copy().) "
            )
        name = a.dtype.name
        if name not in _PAIRS:
            if name not in _dtypes.ALL:
                raise TypeError(
                    "can't convert np.ndarray of type numpy.%s. The only supported types are: float64, float32, float16, "
                    "complex64, complex128, int64, int32, int16, int8, uint64, uint32, uint16, uint8, and bool."
                    % a.dtype.type.__name__
                )
            unsupported("tensors of torch." + name)
        shape, strides = tuple(a.shape), None
        if not a.flags.c_contiguous:  # its elements in the order of its memory, without gaps
            order = sorted(range(a.ndim), key=lambda d: -a.strides[d])
            strides, n = [0] * a.ndim, 1
            for d in reversed(order):
                strides[d], n = n, n * a.shape[d]
            a = a.transpose(order)
        self.packed = (
            b"a", (b"d", name), shape, strides and tuple(strides), a.tobytes(), type_name(type(v)), not ndarray(v),
        )  # fmt: skip


class Other:
    """Something that is not data, under its name in messages."""

    __slots__ = ("packed",)

    def __init__(self, v):
        self.packed = b"o", keep(v), type_name(type(v))


converters[Array] = converters[Other] = lambda v: v.packed


def argument(v):
    """An array as an argument of any function."""
    return (Array(v) if ndarray(v) and v.dtype.name in _PAIRS else Other(v)).packed


_values.array = argument


def data(v):
    """What new tensors are made of, as the engine takes it: a tensor, a plain value, an Array, or nested lists of
    these for whatever has elements that are numbered."""
    c = v.__class__
    if c is list or c is tuple:
        return v if _PLAIN.issuperset(map(type, v)) else [_element(x) for x in v]
    if c in _PLAIN or isinstance(v, Tensor):
        return v
    if isinstance(v, getattr(sys.modules.get("numpy"), "generic", ())) or ndarray(v):
        return Array(v)
    if isinstance(v, bytes):
        raise TypeError("new(): invalid data type 'bytes'")
    if isinstance(v, (int, float, complex, str)) or hasattr(c, "__torch_function__") or hasattr(c, "_elements_as"):
        return v
    if hasattr(c, "__getitem__") and not isinstance(v, (dict, type)):
        len(v)  # raises if it has no length
        return [_element(x) for x in v]
    return Other(v)


def asarray(obj, kwargs):
    """The first argument of torch.asarray, which takes the bytes of what shows them for its elements."""
    if not isinstance(obj, Tensor) and not ndarray(obj):
        try:
            memoryview(obj)
        except TypeError:
            return data(obj)
        if not isinstance(obj, getattr(sys.modules.get("numpy"), "generic", ())):
            return frombuffer(obj, dtype=kwargs.get("dtype") or call("torch.get_default_dtype"))
    return data(obj)


def making(name, at, keyword, shown=None, taken=lambda v, _: data(v)):
    """The Python function for a function of the engine that makes a tensor of data, its argument number at."""
    n = None

    def f(*args, **kwargs):
        nonlocal n
        if n is None:
            n = number(name)
            callables.setdefault(n, f)
        if len(args) > at:
            args = args[:at] + (taken(args[at], kwargs),) + args[at + 1 :]
        elif keyword in kwargs:
            kwargs[keyword] = taken(kwargs[keyword], kwargs)
        return raw_call(n, args, kwargs, CALLER)

    return named(unseen(f), shown or name)


def _element(v):
    if ndarray(v):
        len(v)  # raises if it has no dimensions
    return data(v)


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
