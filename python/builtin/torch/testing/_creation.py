"""make_tensor: random tensors for tests."""

import collections.abc
import math
import warnings

import torch

_FLOATS = (torch.float16, torch.bfloat16, torch.float32, torch.float64)
_INTS = (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64)


def _interval(low, high, least, limit, defaults, dtype):
    """The bounds of the values, within what the dtype holds."""
    low = defaults[0] if low is None else low
    high = defaults[1] if high is None else high
    if any(isinstance(x, float) and math.isnan(x) for x in (low, high)):
        raise ValueError(f"`low` and `high` cannot be NaN, but got low={low!r} and high={high!r}")
    if low == high and dtype in _FLOATS:
        warnings.warn(
            "Passing `low==high` to `torch.testing.make_tensor` for floating or complex types "
            "is deprecated since 2.1 and will be removed in 2.3. "
            "Use `torch.full(...)` instead.",
            FutureWarning,
            stacklevel=4,
        )
    elif low >= high:
        raise ValueError(f"`low` must be less than `high`, but got {low} >= {high}")
    elif high < least or low >= limit:
        raise ValueError(
            f"The value interval specified by `low` and `high` is [{low}, {high}), "
            f"but {dtype} only supports [{least}, {limit})"
        )
    low, high = (min(max(x, least), limit) for x in (low, high))
    return (low, high) if dtype in _FLOATS else (math.ceil(low), math.ceil(high))


def make_tensor(
    *shape,
    dtype,
    device,
    low=None,
    high=None,
    requires_grad=False,
    noncontiguous=False,
    exclude_zero=False,
    memory_format=None,
):
    """A tensor with random elements from [low, high)."""
    if len(shape) == 1 and isinstance(shape[0], collections.abc.Sequence):
        shape = shape[0]
    shape = tuple(shape)
    if noncontiguous and memory_format is not None:
        raise ValueError(
            f"The parameters `noncontiguous` and `memory_format` are mutually exclusive, "
            f"but got noncontiguous={noncontiguous!r} and memory_format={memory_format!r}"
        )
    if requires_grad and dtype not in _FLOATS:
        raise ValueError(
            f"`requires_grad=True` is not supported for boolean and integral dtypes, but got dtype={dtype!r}"
        )
    noncontiguous = noncontiguous and math.prod(shape) > 1
    if noncontiguous:
        shape = shape[:-1] + (2 * shape[-1],)
    if dtype is torch.bool:
        low, high = _interval(low, high, 0, 2, (0, 2), dtype)
        result = torch.randint(low, high, shape, device=device, dtype=dtype)
    elif dtype in _INTS:
        info = torch.iinfo(dtype)
        limit = info.max + (0 if dtype is torch.int64 else 1)
        low, high = _interval(low, high, info.min, limit, (-9, 10), dtype)
        result = torch.randint(low, high, shape, device=device, dtype=dtype)
    elif dtype in _FLOATS:
        info = torch.finfo(dtype)
        low, high = _interval(low, high, info.min, info.max, (-9, 9), dtype)
        result = torch.empty(shape, device=device, dtype=dtype)
        if high - low >= info.max:
            result.uniform_(low / 2, high / 2).mul_(2)
        else:
            result.uniform_(low, high)
    else:
        raise TypeError(
            f"The requested dtype '{dtype}' is not supported by torch.testing.make_tensor()."
            " To request support, file an issue at: https://github.com/pytorch/pytorch/issues"
        )
    if noncontiguous:
        result = result[..., 1::2]
    elif memory_format is not None:
        result = result.clone(memory_format=memory_format)
    if exclude_zero:
        result[result == 0] = torch.finfo(dtype).tiny if dtype in _FLOATS else 1
    if dtype in _FLOATS:
        result.requires_grad = requires_grad
    return result
