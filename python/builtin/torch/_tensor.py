"""torch.Tensor. What it does is in the engine; here are its names and what Python
itself asks for."""

from weakref import WeakValueDictionary

import torch
from gradtui._agent.imports import standard
from gradtui._agent.unseen import unseen

from . import _dispatch, _engine, _gradients, _numpy, _objects, _removed
from ._device import CPU
from ._dtypes import C_TYPES, SCALAR_TYPES
from ._engine import CALLER, OURS, Open, call, callables, foreseen, function, number, raw_call
from ._formats import strided
from ._names import NAMES
from ._objects import look_after, nothing
from ._public import NAMES as PUBLIC
from ._size import Size
from ._unsupported import unsupported


def _reader(name):
    n = number("get." + name)
    if name == "grad":

        def __get__(self, *_):
            return _gradients.read(self, n)

    else:

        def __get__(self, *_):
            t = foreseen(n, (self,), None, CALLER)
            return t[0](*t[1]) if t.__class__ is Open else t

    __get__.__module__ = "torch.Tensor." + name
    callables[n] = unseen(__get__)
    return __get__


def _writer(name):
    n = number("set." + name)
    write = _WRITERS.get(name, _write)

    def __set__(self, value):
        write(self, value, n)

    __set__.__module__ = "torch.Tensor." + name
    callables[n] = unseen(__set__)
    return __set__


@unseen
def _write(t, value, function):
    raw_call(function, (t, value), None, 1 + 2 * OURS)


@unseen
def _require_grad(t, value, function):
    raw_call(function, (t, value), None, 1 + 2 * OURS)
    look_after(t)


_WRITERS = {"grad": _gradients.write, "requires_grad": _require_grad}
_UNDELETABLE = {
    "data": RuntimeError("Deleting tensor data is not allowed. Delete tensor instead!"),
    "requires_grad": RuntimeError("requires_grad must be a bool"),
}


def _not_writable(name):
    return AttributeError("attribute '%s' of 'torch._C.TensorBase' objects is not writable" % name)


def _deleter(name):
    def __delete__(self):
        raise _UNDELETABLE.get(name) or _not_writable(name)

    return __delete__


class _Always:
    """An attribute that has the same value for all tensors."""

    def __init__(self, value):
        self.value = value

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, t, cls=None):
        return self if t is None else self.value

    def __set__(self, t, value):
        raise _not_writable(self.name)

    def __delete__(self, t):
        raise _not_writable(self.name)


def shown_by(args, dtype, names=SCALAR_TYPES):
    """The arguments with the elements of a storage, or data, if that is the first, as the engine
    takes it. names are the names of element types in messages."""
    if not args:
        return args
    v, c = args[0], type(args[0])
    if hasattr(c, "_elements_as"):
        v = v._elements_as(dtype, names)
    elif c is not Size and not (hasattr(c, "__index__") and not hasattr(c, "__len__")):  # no size
        v = _numpy.data(v)
    return (v,) + args[1:]


def retyped(t, cls):
    """A new tensor as one of a subclass."""
    try:
        t.__class__ = cls
    except TypeError:  # the subclass has slots
        h, m = t._h, t._m
        t = object.__new__(cls)
        _objects.know(t, h, m)
    return t


_TO, _SET = number("Tensor.to"), number("Tensor.set_")
_LEAST = -(2**63)  # what the engine makes of floats that do not fit into int64


class _Meta(type(_engine.Tensor)):
    """The type of tensor classes."""

    __module__ = "torch._C"


_Meta.__name__ = _Meta.__qualname__ = "_TensorMeta"


_shared = WeakValueDictionary()  # id -> tensor, of those whose memory was asked to be shared


class Tensor(_engine.Tensor, metaclass=_Meta):
    """A tensor of the engine."""

    __slots__ = ()
    __module__ = "torch"
    __array_priority__ = 1000

    def __new__(cls, *args, **kwargs):
        t = call("torch.Tensor", shown_by(args, None), kwargs)
        return t if cls is Tensor else retyped(t, cls)

    def __init__(self, *args, **kwargs):
        pass

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if not all(issubclass(cls, t) for t in types):
            return NotImplemented
        with _dispatch.DisableTorchFunctionSubclass():
            result = func(*args, **(kwargs or {}))
        if cls is Tensor or getattr(func, "__module__", None) in _plain:
            return result
        return _converted(result, cls)

    def as_subclass(self, cls):
        """The same tensor as one of a subclass."""
        if not (isinstance(cls, type) and issubclass(cls, _engine.Tensor)):
            raise TypeError("cls must be a type (got %s)" % type(cls).__name__)
        with _dispatch.DisableTorchFunctionSubclass():
            return retyped(call("Tensor.alias", (self,)), cls)

    @staticmethod
    def _make_subclass(cls, data, require_grad=False, **_):
        t = call("Tensor.detach", (data,))
        if require_grad:
            t.requires_grad_(True)
        return retyped(t, cls)

    def backward(self, gradient=None, retain_graph=None, create_graph=False, inputs=None):
        """Adds the gradients of the leaves that the tensor depends on to their grad."""
        torch.autograd.backward(self, gradient, retain_graph, create_graph, inputs=inputs)

    # What Python asks for.

    def __hash__(self):
        if self.__del__ is nothing:
            look_after(self)  # it may be in a WeakKeyDictionary
        return id(self)

    def __iter__(self):
        return iter(call("Tensor.__iter__", (self,)))

    def __reversed__(self):
        return self.flip(0) if self.dim() else self

    def __int__(self):
        n = call("Tensor.__int__", (self,))
        return int(call("Tensor.__float__", (self,))) if n == _LEAST else n

    def __complex__(self):
        return complex(self.item())

    def __repr__(self, *, tensor_contents=None):
        if _dispatch.is_overriding(self):
            return type(self).__torch_function__(Tensor.__repr__, (type(self),), (self,), {"tensor_contents": tensor_contents})
        if tensor_contents is not None:
            return "%s(%s)" % (_shown_class(self), tensor_contents)
        text = call("Tensor.__repr__", (self,))
        name = _shown_class(self)
        if name == "tensor" or not text.startswith("tensor("):
            return text
        return name + text[6:].replace("\n       ", "\n" + " " * (len(name) + 1))

    def __format__(self, spec):
        if _dispatch.is_overriding(self):
            return type(self).__torch_function__(Tensor.__format__, (type(self),), (self, spec), None)
        if type(self) is not Tensor:
            return object.__format__(self, spec)
        return call("Tensor.__format__", (self, spec))

    def __dir__(self):
        hidden = {"volatile", "__cuda_array_interface__"}
        names = set(dir(type(self))) | set(self.__dict__)
        return sorted(n for n in names - hidden if not n[:1].isdigit())

    def __delitem__(self, key):
        raise TypeError("Tensor does not support deleting items")

    def __array__(self, dtype=None):
        array = self.numpy()
        return array if dtype is None else array.astype(dtype, copy=False)

    def __array_wrap__(self, array):
        if array.dtype == bool:
            array = array.astype("uint8")
        return torch.from_numpy(array)

    def __copy__(self):
        t = call("Tensor.__copy__", (self,))
        t.__dict__.update(self.__dict__)
        return t if type(t) is type(self) else retyped(t, type(self))

    def __deepcopy__(self, memo):
        from ._copying import deep_copy

        return deep_copy(self, memo)

    def __reduce_ex__(self, proto):
        from ._copying import reduced

        return reduced(self, proto)

    def __setstate__(self, state):
        raise RuntimeError("__setstate__ can be only called on leaf Tensors")

    @unseen
    def to(self, *args, **kwargs):
        """The tensor with another dtype, or itself."""
        where = args[0] if args else kwargs.get("device")
        if type(where) is int:
            raise RuntimeError("Cannot access accelerator device when none is available.")
        return raw_call(_TO, (self,) + args, kwargs, CALLER)

    @unseen
    def set_(self, *args, **kwargs):
        """Switches to the memory of a tensor or a storage."""
        if "source" in kwargs:
            (kwargs["source"],) = shown_by((kwargs["source"],), self.dtype, C_TYPES)
        return raw_call(_SET, (self,) + shown_by(args, self.dtype, C_TYPES), kwargs, CALLER)

    def type(self, dtype=None, non_blocking=False, **kwargs):
        """The name of the tensor's type, or the tensor as another type."""
        if dtype is None:
            return call("Tensor.type", (self,))
        if dtype is Tensor:
            dtype = call("torch.get_default_dtype", ())
        if isinstance(dtype, type):
            name = dtype.__name__
            if dtype.__module__ != "torch" or not name.endswith("Tensor"):
                raise ValueError("invalid type: '%s'" % name)
            dtype = "torch." + name
        return call("Tensor.type", (self, dtype))

    # Where it is and what it is made of.

    device, layout = _Always(CPU), _Always(strided)
    is_quantized, is_meta, is_mkldnn, is_mps, is_mtia, is_nested = (_Always(False) for _ in range(6))
    is_vulkan, is_xla, is_xpu, is_sparse_csr, is_ipu, is_maia = (_Always(False) for _ in range(6))

    @property
    def names(self):
        return (None,) * self.dim()

    @names.setter
    def names(self, names):
        if names is not None and any(n is not None for n in names):
            unsupported("named tensors")

    @property
    def volatile(self):
        standard("warnings").warn("volatile was removed (Variable.volatile is always False)", stacklevel=2)
        return False

    @volatile.setter
    def volatile(self, _):
        standard("warnings").warn("volatile was removed and now has no effect. Use `with torch.no_grad():` instead.", stacklevel=2)

    def is_complex(self):
        return self.dtype.is_complex

    def is_signed(self):
        return self.dtype.is_signed

    def is_conj(self):
        return False

    is_neg = is_distributed = has_names = is_coalesced = is_conj

    def is_pinned(self, device=None):
        return False

    def is_set_to(self, tensor):
        """Whether two tensors show the same memory in the same way."""
        return (
            self.untyped_storage() is tensor.untyped_storage()
            and self.storage_offset() == tensor.storage_offset()
            and self.shape == tensor.shape
            and self.stride() == tensor.stride()
        )

    def get_device(self):
        return -1

    def dense_dim(self):
        return self.dim()

    def sparse_dim(self):
        return 0

    def to_dense(self, dtype=None, *, masked_grad=True):
        return self if dtype is None else self.to(dtype)

    def share_memory_(self):
        _shared[id(self)] = self
        return self

    def is_shared(self):
        return _shared.get(id(self)) is self

    def pin_memory(self, device=None):
        raise RuntimeError("Cannot access accelerator device when none is available.")

    def dim_order(self):
        """The dimensions from the one with the largest stride to that with the smallest."""
        strides = self.stride()
        return tuple(sorted(range(self.dim()), key=lambda d: -strides[d]))

    def untyped_storage(self):
        from .storage import storage_of

        return storage_of(self)

    def _typed_storage(self):
        from .storage import TypedStorage

        return TypedStorage(wrap_storage=self.untyped_storage(), dtype=self.dtype, _internal=True)

    def storage(self):
        from .storage import TypedStorage, warn_deprecated

        warn_deprecated(2)
        return TypedStorage(wrap_storage=self.untyped_storage(), dtype=self.dtype, _internal=True)

    def storage_type(self):
        return type(self.storage())

    def data_ptr(self):
        """A number that tells where the memory begins; it is not an address."""
        address, length, offset = call("tensor.storage", (self,))
        return address + offset * self.dtype.itemsize if length else 0

    # Devices that are not there.

    def cuda(self, device=None, non_blocking=False, memory_format=None):
        raise AssertionError("Torch not compiled with CUDA enabled")

    def xpu(self, device=None, non_blocking=False, memory_format=None):
        raise AssertionError("Torch not compiled with XPU enabled")

    # Values from and to Python.

    def numpy(self, *, force=False):
        from ._numpy import to_numpy

        return to_numpy(self, force)

    def apply_(self, function):
        return self._elementwise(function)

    def map_(self, tensor, function):
        return self._elementwise(function, tensor)

    def map2_(self, x, y, function):
        return self._elementwise(function, x, y)

    def _elementwise(self, function, *others):
        if self.requires_grad:
            name = ("apply_", "map_", "map2_")[len(others)]
            raise RuntimeError(
                "Can't call %s() on Variable that requires grad. Use var.detach().%s() instead." % (name, name)
            )
        columns = [t.expand_as(self).reshape(-1).tolist() for t in (self,) + others]
        values = [function(*row) for row in zip(*columns)]
        return self.copy_(torch.tensor(values, dtype=self.dtype).reshape(self.shape))

    def new(self, *args, **kwargs):
        """A tensor of the same type: of a size, or of given elements."""
        kwargs.pop("device", None)
        return call(self.type(), shown_by(args, self.dtype), kwargs)

    def new_empty_strided(self, size, stride, dtype=None, **kwargs):
        return torch.empty_strided(size, stride, dtype=dtype or self.dtype, **kwargs)

    def reinforce(self, reward):
        raise RuntimeError(
            "reinforce() was removed.\nUse torch.distributions instead.\nSee https://pytorch.org/docs/main/distributions.html"
        )

    def resize(self, *sizes):
        standard("warnings").warn("non-inplace resize is deprecated", stacklevel=2)
        return self.clone().resize_(*sizes)

    def resize_as(self, tensor):
        standard("warnings").warn("non-inplace resize_as is deprecated", stacklevel=2)
        return self.clone().resize_(tensor.size())

    def lu(self, pivot=True, get_infos=False):
        from . import lu

        return lu(self, pivot, get_infos)

    def refine_names(self, *names):
        unsupported("named tensors")

    align_as = align_to = rename = rename_ = refine_names

    def _fix_weakref(self):
        """What came out of a weak reference needs no repair."""

    def module_load(self, other, assign=False):
        """The tensor that takes this one's place when a module loads another one."""
        return other.detach() if assign else self.detach().copy_(other)


def _shown_class(t):
    cls = type(t)
    return "tensor" if cls is Tensor or cls is _engine.parameter_class else cls.__name__


_plain = frozenset("torch.Tensor." + name for name in ("_base", "grad", "_grad"))


def _converted(result, cls):
    """Results as tensors of a subclass."""
    if isinstance(result, Tensor):
        return result if isinstance(result, cls) else retyped(call("Tensor.alias", (result,)), cls)
    if isinstance(result, (tuple, list)) and type(result).__name__ != "Size":
        return type(result)(_converted(x, cls) for x in result)
    return result


# Methods that the table has for derivatives and programs in Go only.
_HIDDEN = {"__iabs__", "__ineg__", "__ieq__", "__ine__", "__ige__", "__igt__", "__ile__", "__ilt__", "__iradd__",
           "__irand__", "__irmul__", "__iror__", "__irxor__", "alias", "bucketize", "nonzero_numpy", "numpy_T"}  # fmt: skip


# What __torch_function__ hears about operators.
_CALLED = {"__rtruediv__": "__rdiv__", "__pos__": "positive", "__imod__": "remainder_", "__mod__": "remainder",
           "__ifloordiv__": "floor_divide_", "__rand__": "bitwise_and", "__ror__": "bitwise_or",
           "__rxor__": "bitwise_xor", "__itruediv__": "div_", "__truediv__": "div"}  # fmt: skip
_CALLED.update(("__%s__" % n, n) for n in "abs add div ge gt le lt ne matmul mul neg pow sub eq".split())
_CALLED.update(("__i%s__" % n, n + "_") for n in "add mul pow sub div".split())
_CALLED.update(__radd__="add", __rmul__="mul")


def _missing(name):
    def method(self, *args, **kwargs):
        unsupported("torch.Tensor." + name)

    method.__name__ = name
    return method


def _requires_grad_():
    """Tensor.requires_grad_, after which there is a leaf to look after."""
    n = number("Tensor.requires_grad_")

    def requires_grad_(*args, **kwargs):
        t = raw_call(n, args, kwargs, CALLER)
        look_after(t)
        return t

    callables[n] = _engine.named(unseen(requires_grad_), "torch.Tensor.requires_grad_")
    return requires_grad_


def _with_arrays(name, compute):
    """An operator that takes arrays of NumPy, too."""
    n = number("Tensor." + name)

    def operator(self, other):
        result = raw_call(n, (self, other), None, CALLER)
        return compute(self, other) if result is NotImplemented and _numpy.ndarray(other) else result

    callables[n] = _engine.named(unseen(operator), "torch.Tensor." + _CALLED[name])
    operator.__qualname__ = "Tensor." + name
    return operator


def _equals_array(t, array):
    try:
        return t == _numpy.from_numpy(array)
    except TypeError:
        return NotImplemented


def _fill():
    Tensor.__eq__ = _with_arrays("__eq__", _equals_array)
    Tensor.__rtruediv__ = Tensor.__rdiv__ = _with_arrays("__rtruediv__", lambda t, a: t.reciprocal() * a)
    Tensor.requires_grad_ = _requires_grad_()
    Tensor.requires_grad_.__qualname__ = "Tensor.requires_grad_"
    for name in NAMES["Tensor"].split():
        if name not in _HIDDEN and name not in Tensor.__dict__:
            shown = "torch.Tensor." + _CALLED.get(name, name)
            if name == "new_tensor":
                f = _numpy.making("Tensor.new_tensor", 1, "data", shown)
            else:
                f = function("Tensor." + name, shown)
            f.__qualname__ = "Tensor." + name
            setattr(Tensor, name, f)
    for name in NAMES["get"].split():
        if name not in Tensor.__dict__:
            setattr(Tensor, name, property(_reader(name), _writer(name), _deleter(name)))
    Tensor.grad = Tensor.grad.deleter(lambda self: setattr(self, "grad", None))
    Tensor._grad, Tensor._grad_fn = Tensor.grad, Tensor.grad_fn
    for name in _removed.METHODS:
        setattr(Tensor, name, _removed.method(name))
    for name in PUBLIC["torch.Tensor"].split():
        if not name.startswith("_") and name not in Tensor.__dict__:
            setattr(Tensor, name, _missing(name))


_fill()
_engine.use(Tensor, Tensor)
