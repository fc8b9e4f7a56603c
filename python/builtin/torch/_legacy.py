"""The old classes of tensors by element type, such as torch.FloatTensor."""

from ._dtypes import ALL, TYPE_NAMES
from ._engine import Tensor, call
from ._tensor import shown_by


class _ByType(type):
    def __instancecheck__(cls, instance):
        return isinstance(instance, Tensor) and instance.dtype is cls.dtype

    def __repr__(cls):
        return "<class '%s.%s'>" % (cls.__module__, cls.__name__)


def _made(cls, *args, **kwargs):
    return call("torch." + cls.__name__, shown_by(args, cls.dtype), kwargs)


for _dtype, _name in TYPE_NAMES.items():
    globals()[_name] = _ByType(
        _name, (), {"__module__": "torch", "dtype": ALL[_dtype], "is_cuda": False, "is_sparse": False, "__new__": _made}
    )
