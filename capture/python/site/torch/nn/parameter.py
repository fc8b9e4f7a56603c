"""Tensors that belong to a module: parameters and buffers."""

from collections import OrderedDict

import torch
from torch import Tensor, _engine


class _Marked(type(Tensor)):
    """Counts a tensor of another class as an instance if it carries the mark."""

    def __instancecheck__(cls, instance):
        if super().__instancecheck__(instance):
            return True
        mark = cls.__dict__.get("_mark")
        return mark is not None and isinstance(instance, Tensor) and getattr(instance, mark, False)
