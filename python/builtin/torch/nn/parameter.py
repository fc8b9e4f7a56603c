"""Tensors that belong to a module: parameters and buffers."""

from collections import OrderedDict

import torch
from gradtui._agent import names
from torch import Tensor, _engine, _utils
from torch._dispatch import DisableTorchFunctionSubclass, disabled
from torch._namespace import missing


class _Marked(type(Tensor)):
    """The type of classes that also count other tensors as instances: those that
    carry a mark."""

    def __instancecheck__(cls, instance):
        return type.__instancecheck__(cls, instance) or (
            isinstance(instance, Tensor) and cls.__dict__.get("_mark") in instance.__dict__
        )


class _ParameterMeta(_Marked):
    pass


class _BufferMeta(_Marked):
    pass


class Parameter(Tensor, metaclass=_ParameterMeta):
    """A tensor that a module registers as its parameter when it becomes an attribute."""

    __slots__ = ()
    __torch_function__ = disabled
    _mark = "_is_param"

    def __new__(cls, data=None, requires_grad=True):
        if data is None:
            data = torch.empty(0)
        if type(data) is Tensor or type(data) is Parameter:
            t = _made(cls, data, requires_grad)
            names.result(t)
            return t
        t = data.detach().requires_grad_(requires_grad)
        if type(t) is not type(data):
            raise RuntimeError(
                f"Creating a Parameter from an instance of type {type(data).__name__} "
                "requires that detach() returns an instance of the same type, but return "
                f"type {type(t).__name__} was found instead. To use the type as a "
                "Parameter, please correct the detach() semantics defined by "
                "its __torch_dispatch__() implementation."
            )
        t._is_param = True
        return t

    def __deepcopy__(self, memo):
        if id(self) not in memo:
            copy = self.data.clone(memory_format=torch.preserve_format)
            memo[id(self)] = type(self)(copy, self.requires_grad)
        return memo[id(self)]

    def __reduce_ex__(self, proto):
        args = (self.data, self.requires_grad, OrderedDict())
        if self.__dict__:
            return _utils._rebuild_parameter_with_state, (*args, self.__dict__)
        return _utils._rebuild_parameter, args


def _made(cls, data, requires_grad):
    """The parameter of a class that shares its memory with data."""
    param = _engine.call("torch.nn.Parameter", (data, requires_grad))
    if cls is not Parameter:
        param.__class__ = cls
    return param


_engine.use(Tensor, Parameter)


# What can be done with a tensor whose shape is not known yet, beside reading and
# writing its attributes.
_ALLOWED = frozenset(
    "__get__ __set__ __hash__ size copy_ is_complex is_floating_point half float double char "
    "short int long cuda cpu to get_device".split()
)


def _shown(func):
    """A function as PyTorch, where most are written in C++, shows it."""
    name = func.__name__
    if func.__module__ == "torch.Tensor" and not name.startswith("__"):
        return f"<method '{name}' of 'torch._C.TensorBase' objects>"
    if name in ("__getitem__", "__setitem__"):
        return f"<slot wrapper '{name}' of 'torch._C.TensorBase' objects>"
    if func.__module__ == "torch":
        return f"<built-in method {name} of type object at {id(torch):#x}>"
    if func.__module__ == "torch.nn.functional":
        return f"<built-in function {name}>"
    return repr(func)


class UninitializedTensorMixin:
    """A tensor whose shape is not known yet."""

    __slots__ = ()

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func.__name__ in _ALLOWED:
            with DisableTorchFunctionSubclass():
                return func(*args, **(kwargs or {}))
        raise ValueError(
            f"Attempted to use an uninitialized parameter in {_shown(func)}. "
            "This error happens when you are using a `LazyModule` or "
            f"explicitly manipulating `torch.nn.parameter.{cls.__name__}` "
            "objects. When using LazyModules Call `forward` with a dummy batch "
            "to initialize the parameters before calling torch functions"
        )

    def materialize(self, shape, device=None, dtype=None):
        """Gives the tensor a shape, and memory with no defined values."""
        data = self.data
        self.data = torch.empty(
            shape,
            device=data.device if device is None else device,
            dtype=data.dtype if dtype is None else dtype,
        )
        self.__class__ = self.cls_to_become

    @property
    def shape(self):
        raise RuntimeError(
            "Can't access the shape of an uninitialized parameter or buffer. "
            "This error usually happens in `load_state_dict` when trying to load "
            "an uninitialized parameter into an initialized one. "
            "Call `forward` to initialize the parameters before accessing their attributes."
        )

    def share_memory_(self):
        raise RuntimeError(
            "Can't share memory on an uninitialized parameter or buffer. "
            "Call `forward` to initialize the parameters before calling "
            "`module.share_memory()`."
        )

    def __repr__(self):
        return f"<{self.__class__.__name__}>"

    def __reduce_ex__(self, proto):
        return self.__class__, (self.requires_grad,)


def is_lazy(param):
    """Whether the shape of a tensor is not known yet."""
    return isinstance(param, UninitializedTensorMixin)


class UninitializedParameter(UninitializedTensorMixin, Parameter):
    """A parameter whose shape is not known yet."""

    __slots__ = ()
    cls_to_become = Parameter

    def __new__(cls, requires_grad=True, device=None, dtype=None):
        return _made(cls, torch.empty(0, device=device, dtype=dtype), requires_grad)

    def __deepcopy__(self, memo):
        if id(self) not in memo:
            data = self.data
            memo[id(self)] = type(self)(self.requires_grad, data.device, data.dtype)
        return memo[id(self)]


class Buffer(Tensor, metaclass=_BufferMeta):
    """A tensor that a module registers as its buffer when it becomes an attribute."""

    __slots__ = ()
    _mark = "_is_buffer"

    def __new__(cls, data=None, *, persistent=True):
        if data is None:
            data = torch.empty(0)
        t = data.detach().requires_grad_(data.requires_grad)
        t.persistent = persistent
        t._is_buffer = True
        return t


class UninitializedBuffer(UninitializedTensorMixin, Tensor):
    """A buffer whose shape is not known yet."""

    __slots__ = ()
    cls_to_become = Tensor

    def __new__(cls, requires_grad=False, device=None, dtype=None, persistent=True):
        t = torch.empty(0, device=device, dtype=dtype).requires_grad_(requires_grad)
        t.__class__ = cls
        t.persistent = persistent
        t._is_buffer = True
        return t


__getattr__ = missing(__name__)
