"""Summaries of what tensors hold."""

from math import isfinite

import torch

from . import tensors, wire
from .tensors import Base, detach, dtype, numel, tolist

WHOLE = 8  # elements of a tensor that is taken whole

LARGE = 1 << 22  # elements of a tensor of which nothing is taken unless somebody waits for it

level = 1  # 0: none, 1: those of small tensors, 2: of all but large ones
_most = LARGE
_nonfinite = False  # whether gradtui is asked when there is a NaN or an infinity


def arm(settings):
    """Finds out which values gradtui wants."""
    global level, _most, _nonfinite
    level, _nonfinite = settings.get("values", 1), bool(settings.get("nonfinite"))
    _most = 1 << 62 if _nonfinite or settings.get("attend") else LARGE



_min, _max, _mean = Base.min, Base.max, Base.mean
_isnan, _isinf, _sum, _item, _double = Base.isnan, Base.isinf, Base.sum, Base.item, Base.double
_flatten, _getitem, _isfinite = Base.flatten, Base.__getitem__, Base.isfinite
_masked_select = Base.masked_select
_no_grad = torch._C._set_grad_enabled
_is_grad_enabled = torch.is_grad_enabled
_modes, _profiled = torch._C._len_torch_dispatch_stack, torch._C._autograd._profiler_enabled
_REAL = {torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool}


def watched():
    """Whether the program would notice operations of ours: with a TorchDispatchMode, or a
    profiler."""
    return _modes() or _profiled()


def value(t):
    """A list of all elements, a tuple that summarises them, or None."""
    if level == 0 or t is None or watched() or tensors.answers(t):
        return None
    try:
        n = numel(t)
        if n > WHOLE and (level < 2 or n > _most):
            return None
        if dtype(t) not in _REAL or tensors.layout_of(t) is not torch.strided or tensors.device_of(t).type == "meta":
            return None
        if level < 2 and tensors.device_of(t).type != "cpu":
            return None
        if n <= WHOLE:
            found = tolist(t)
            while found.__class__ is list and found and found[0].__class__ is list:
                found = [x for part in found for x in part]
            if found.__class__ is not list:
                found = [found]
            if _nonfinite and not all(map(isfinite, found)):
                wire.attention[0] = 1
            return found
        return _summary(t, n)
    except (RuntimeError, TypeError, NotImplementedError):  # of a kind that knows none of this
        return None


def _summary(t, n):
    if watched() or tensors.answers(t):
        return None
    was = _is_grad_enabled()
    _no_grad(False)
    try:
        flat = _flatten(detach(t))
        first = tolist(_getitem(flat, slice(0, WHOLE)))
        nan = inf = 0
        floating = dtype(t).is_floating_point
        if floating:
            if not _item(_isfinite(_sum(flat))):
                nan, inf = _item(_sum(_isnan(flat))), _item(_sum(_isinf(flat)))
                if _nonfinite and (nan or inf):
                    wire.attention[0] = 1
                if nan or inf:
                    flat = _masked_select(flat, _isfinite(flat))
                    if not numel(flat):
                        return (n, first, 0.0, 0.0, 0.0, nan, inf)
        low, high = _item(_min(flat)), _item(_max(flat))
        return (n, first, low, high, _item(_mean(_double(flat))), nan, inf)
    finally:
        _no_grad(was)


MOST = 1 << 14  # elements of a gradient that is summed up in passes that are looked at closely


def _of_gradient(t, closely):
    v = value(t)
    if v is not None or not closely or level != 1:
        return v
    try:
        if tensors.layout_of(t) is torch.strided and tensors.device_of(t).type == "cpu" and dtype(t) in _REAL and numel(t) <= MOST:
            return _summary(t, numel(t))
    except (RuntimeError, TypeError, NotImplementedError):  # of a kind that knows none of this
        pass
    return None


def grad(t, closely=False):
    """A gradient's dtype, shape and value. closely: also that of a larger one."""
    if t is None:
        return None
    return tensors.name_of(dtype(t)), tuple(map(int, tensors.shape_of(t) or ())), _of_gradient(t, closely)


def all_finite(found):
    """Whether all elements of gradients that are not taken whole are finite, as far as that is
    cheap to say."""
    if watched():
        return True
    found = [t for t in found if not tensors.answers(t) and numel(t) > WHOLE and tensors.layout_of(t) is torch.strided and tensors.device_of(t).type == "cpu" and dtype(t).is_floating_point]
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
