"""Neural networks: parameters, modules and what they are made of."""

from .parameter import Buffer, Parameter, UninitializedBuffer, UninitializedParameter  # isort: skip
from .modules import *  # isort: skip
from . import attention, functional, grad, init, modules, parallel, parameter, utils
from .parallel import DataParallel
from torch._namespace import missing


def factory_kwargs(kwargs):
    """The keyword arguments for functions that make tensors, checked; those within
    an argument factory_kwargs count too."""
    if kwargs is None:
        return {}
    known = {"device", "dtype", "memory_format"}
    unknown = kwargs.keys() - (known | {"factory_kwargs"})
    if unknown:
        raise TypeError(f"unexpected kwargs {unknown}")
    result = dict(kwargs.get("factory_kwargs", {}))
    for key in known & kwargs.keys():
        if key in result:
            raise TypeError(f"{key} specified twice, in **kwargs and in factory_kwargs")
        result[key] = kwargs[key]
    return result


__getattr__ = missing(__name__)
