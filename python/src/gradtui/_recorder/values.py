"""Summaries of what tensors hold."""

from __future__ import annotations

from math import isfinite, sqrt

import torch

from . import amounts, tensors, wire
from ._protocol import VALUES_ALL, VALUES_SMALL
from .tensors import Base, detach, dtype, numel, tolist

TYPE_CHECKING = False  # typing is not imported for it
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from torch import Tensor

    from .._agent.stacks import CallSite
    from .tensors import Ref, Sort
    from .wire import Settings

WHOLE = 8  # elements of a tensor that is always taken whole

LARGE = 1 << 22  # elements of a tensor of which nothing is taken unless the debugger waits for it

level = 1  # 0: no values, 1: values of small tensors, 2: of all but large ones, or of those with certain names
_others = 1  # the level for tensors whose names do not matter
_most = LARGE
_MUCH = 1 << 15  # elements that are sent at once
_first = WHOLE  # leading elements that are taken of each tensor
_nonfinite = False  # whether gradtui is asked when there is a NaN or an infinity


def arm(settings: Settings) -> None:
    """Finds out which values gradtui wants."""
    global level, _others, _most, _first, _nonfinite
    _others, _nonfinite = settings.get("values", VALUES_SMALL), bool(settings.get("nonfinite"))
    level = VALUES_ALL if amounts.arm(settings.get("amounts", ())) else _others
    _first = max(settings.get("elements", 0), WHOLE)
    _most = 1 << 62 if _nonfinite or settings.get("attend") else LARGE


_aminmax, _mul, _count_nonzero, _bool = Base.aminmax, Base.mul, Base.count_nonzero, Base.bool
_isnan, _isinf, _sum, _item, _double = Base.isnan, Base.isinf, Base.sum, Base.item, Base.double
_flatten, _getitem, _isfinite = Base.flatten, Base.__getitem__, Base.isfinite
_masked_select = Base.masked_select
_no_grad = torch._C._set_grad_enabled
_is_grad_enabled = torch.is_grad_enabled
_modes, _profiled = torch._C._len_torch_dispatch_stack, torch._C._autograd._profiler_enabled
_REAL = {torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool}


def watched() -> bool:
    """Whether the program would notice operations of ours: with a TorchDispatchMode, or a
    profiler."""
    return _modes() or _profiled()


def value(
    t: Tensor | None, sort: Sort | None = None, r: Ref | None = None, site: CallSite | None = None, index: int = -1, named: int = 0,
) -> Any:
    """A list of all elements, a tuple that summarises them, or None. sort is the kind of the
    tensor and r what is known of it, if they are known. site is where an operation has made it,
    as its only result or as the one with this index. named is how many leading elements its name
    asks for, if r is not given; 0: as of others."""
    if level == 0 or t is None or watched():
        return None
    if r is not None and amounts.rules:
        named = amounts.of(r, site, index)
    try:
        if sort is None:
            n, asked = size_of(t)
        else:
            if sort.size is None:
                sort.size = size_of(t)
            n, asked = sort.size
        if named and asked != _NEVER:
            return summary(t, n, named)
        if _others < asked or n > _most:
            return None
        if n > WHOLE:
            return summary(t, n)
        found = tolist(t)
        while found.__class__ is list and found and found[0].__class__ is list:
            found = [x for part in found for x in part]
        if found.__class__ is not list:
            found = [found]
        if _nonfinite and not all(map(isfinite, found)):
            wire.attention[0] = 1
        return found
    except (RuntimeError, TypeError, NotImplementedError):  # of a kind that knows none of this
        return None


def bound(r: Ref, name: str) -> None:
    """A tensor gets a name, for which more of it may be wanted."""
    named, t = amounts.bound(r, name), r()
    if named and t is not None:
        read(r, t, value(t, named=named))


def read(r: Ref, t: Tensor, taken: Any, part: tuple[int, ...] = ()) -> None:
    """Reports what a tensor holds that has not changed."""
    if taken is not None:
        wire.pending.append(("value", r.n, tensors.version_of(t), part, taken))


_NEVER = 3


def size_of(t: Tensor) -> tuple[int, int]:
    """How many elements a tensor has, and the level at which they are taken."""
    if tensors.answers(t):
        return 0, _NEVER
    device = tensors.device_of(t).type
    if dtype(t) not in _REAL or tensors.layout_of(t) is not torch.strided or device == "meta":
        return 0, _NEVER
    n = numel(t)
    return n, 1 if n <= WHOLE and device == "cpu" else 2


def summary(t: Tensor, n: int, most: int = 0) -> tuple[Any, ...] | list[Any] | None:
    """The value of a tensor with n elements, of which the first are taken, as many as wanted or most."""
    if watched() or tensors.answers(t):
        return None
    most = most or _first
    was = _is_grad_enabled()
    _no_grad(False)
    try:
        flat = _flatten(detach(t))
        first = tolist(_getitem(flat, slice(0, most)))
        nan = inf = 0
        doubles = _double(flat)
        total = _item(_sum(doubles))
        if not isfinite(total):
            nan, inf = _item(_sum(_isnan(flat))), _item(_sum(_isinf(flat)))
            if _nonfinite and (nan or inf):
                wire.attention[0] = 1
            if nan or inf:
                if n <= most:
                    return first
                flat = _masked_select(flat, _isfinite(flat))
                if not numel(flat):
                    return (n, first, 0.0, 0.0, 0.0, nan, inf, 0.0, 0)
                doubles = _double(flat)
                total = _item(_sum(doubles))
        if len(first) > _MUCH:
            wire.due[0] = 0.0  # a frame must not become too long
        if n <= most:
            return first
        low, high = map(_item, _aminmax(doubles))
        finite = numel(flat)
        zeros = finite - _item(_count_nonzero(_bool(flat))) if low <= 0 <= high else 0
        return (n, first, low, high, total / finite, nan, inf, sqrt(_item(_sum(_mul(doubles, doubles)))), zeros)
    finally:
        _no_grad(was)


MOST = 1 << 14  # elements of a gradient that is summed up in passes that are looked at closely


def _in_memory(t: Tensor) -> bool:
    """Whether the elements of a tensor are in the memory of this process."""
    return tensors.layout_of(t) is torch.strided and tensors.device_of(t).type == "cpu"


def _of_gradient(t: Tensor, closely: bool, named: int) -> Any:
    v = value(t, named=named)
    if v is not None or not closely or _others != VALUES_SMALL:
        return v
    try:
        if _in_memory(t) and dtype(t) in _REAL and numel(t) <= MOST:
            return summary(t, numel(t))
    except (RuntimeError, TypeError, NotImplementedError):  # of a kind that knows none of this
        pass
    return None


def grad(t: Tensor | None, closely: bool = False, named: int = 0) -> tuple[Any, ...] | None:
    """A gradient's dtype, shape and value. closely: also the value of a larger gradient. named is as
    value takes it."""
    if t is None:
        return None
    return tensors.name_of(dtype(t)), tuple(map(int, tensors.shape_of(t) or ())), _of_gradient(t, closely, named)


def of_gradients(found: Sequence[tuple[Ref, Tensor]]) -> list[Any]:
    """The values of gradients that tensors keep. If only small ones are wanted, they include larger
    gradients that are zero or not finite, which is cheap to say."""
    if level == 0 or watched():
        return [None] * len(found)
    norms = _norms_of([g for _, g in found]) if _others == VALUES_SMALL else {}
    return [_by_norm(g, norms.get(i, 1.0), amounts.of(r) if amounts.rules else 0) for i, (r, g) in enumerate(found)]


def _by_norm(g: Tensor, norm: float, named: int) -> Any:
    """The value of a gradient with this norm."""
    if norm == 0 and not named:
        return (numel(g), [0.0] * WHOLE, 0.0, 0.0, 0.0, 0, 0, 0.0, numel(g))
    return value(g, named=named) if isfinite(norm) else summary(g, numel(g), named)


def _norms_of(found: Sequence[Tensor]) -> dict[int, float]:
    """The norms of those gradients that are not taken whole, by their places."""
    large = {
        i: detach(t) for i, t in enumerate(found)
        if not tensors.answers(t) and numel(t) > WHOLE and _in_memory(t) and dtype(t).is_floating_point
    }  # fmt: skip
    if not large:
        return {}
    was = _is_grad_enabled()
    _no_grad(False)
    try:
        return dict(zip(large, map(_item, _norms(list(large.values()), 1))))
    except (RuntimeError, TypeError, NotImplementedError):
        return {}
    finally:
        _no_grad(was)


_norms = torch._foreach_norm
