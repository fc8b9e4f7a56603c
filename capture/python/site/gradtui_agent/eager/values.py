"""Summaries of what tensors hold."""

from math import isfinite

import torch

from . import tensors
from .tensors import Base, detach, dtype, numel, tolist

WHOLE = 8  # elements of a tensor that is taken whole

level = 1  # 0: none, 1: those of small tensors, 2: of all

_min, _max, _mean = Base.min, Base.max, Base.mean
_isnan, _isinf, _sum, _item, _double = Base.isnan, Base.isinf, Base.sum, Base.item, Base.double
_flatten, _getitem, _isfinite = Base.flatten, Base.__getitem__, Base.isfinite
_masked_select = Base.masked_select
_no_grad = torch._C._set_grad_enabled
_is_grad_enabled = torch.is_grad_enabled
_REAL = {torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool}


def value(t):
    """A list of all elements, a tuple that summarises them, or None."""
    if level == 0 or t is None:
        return None
    try:
        n = numel(t)
        if n > WHOLE and level < 2:
            return None
        if dtype(t) not in _REAL or tensors.layout_of(t) is not torch.strided or tensors.device_of(t).type == "meta":
            return None
        if level < 2 and tensors.device_of(t).type != "cpu":
            return None
        if n <= WHOLE:
            found = tolist(t)
            while found.__class__ is list and found and found[0].__class__ is list:
                found = [x for part in found for x in part]
            return found if found.__class__ is list else [found]
        return _summary(detach(t), n)
    except (RuntimeError, TypeError, NotImplementedError):  # of a kind that knows none of this
        return None


def _summary(t, n):
    was = _is_grad_enabled()
    _no_grad(False)
    try:
        flat = _flatten(t)
        first = tolist(_getitem(flat, slice(0, WHOLE)))
        nan = inf = 0
        floating = dtype(t).is_floating_point
        if floating:
            if not _item(_isfinite(_sum(flat))):
                nan, inf = _item(_sum(_isnan(flat))), _item(_sum(_isinf(flat)))
                if nan or inf:
                    flat = _masked_select(flat, _isfinite(flat))
                    if not numel(flat):
                        return (n, first, 0.0, 0.0, 0.0, nan, inf)
        low, high = _item(_min(flat)), _item(_max(flat))
        return (n, first, low, high, _item(_mean(_double(flat))), nan, inf)
    finally:
        _no_grad(was)


def grad(t):
    """A gradient's dtype, shape and value."""
    if t is None:
        return None
    return tensors.name_of(dtype(t)), tuple(map(int, tensors.shape(t))), value(t)


def all_finite(found):
    """Whether all elements of gradients are finite, as far as that is cheap to say."""
    found = [t for t in found if tensors.layout_of(t) is torch.strided and tensors.device_of(t).type == "cpu" and dtype(t).is_floating_point]
    if not found:
        return True
    was = _is_grad_enabled()
    _no_grad(False)
    try:
        return all(map(isfinite, map(_item, _norms([detach(t) for t in found], 1))))
    except (RuntimeError, TypeError, NotImplementedError):
        return True
    finally:
        _no_grad(was)


_norms = torch._foreach_norm
