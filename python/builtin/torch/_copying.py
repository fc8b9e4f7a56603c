"""Deep copies and pickles of tensors. Tensors that share memory do so afterwards."""

from collections import OrderedDict
from copy import deepcopy

from . import _engine
from ._engine import call
from .storage import storage_of


def deep_copy(t, memo):
    from ._tensor import Tensor

    if id(t) in memo:
        return memo[id(t)]
    if not t.is_leaf:
        call("Tensor.__deepcopy__", (t,))  # raises
    if type(t) not in (Tensor, _engine.parameter_class):
        raise RuntimeError(
            "The default implementation of __deepcopy__() for non-wrapper subclasses only works for subclass types that "
            "implement new_empty() and for which that function returns another instance of the same subclass. You should "
            "either properly implement new_empty() for your subclass or override __deepcopy__() if it is intended behavior "
            "for new_empty() to return an instance of a different type."
        )
    key = "storage", storage_of(t)
    whole = memo.get(key)
    if whole is None and not t.is_contiguous() or whole is not None or _is_part(t):
        if whole is None:
            whole = memo[key] = key[1]._whole.clone()
        copy = call("tensor.over", (whole, t.shape, t.stride(), t.storage_offset()))
        if t.requires_grad:
            copy.requires_grad_(True)
        if t.grad is not None:
            copy.grad = deepcopy(t.grad, memo)
    else:
        copy = call("Tensor.__deepcopy__", (t,))
        memo[key] = call("tensor.whole", (copy,))
    memo[id(t)] = copy
    copy.__dict__.update(deepcopy(t.__dict__, memo))
    return copy


def _is_part(t):
    """Whether a tensor shows a part of its storage only."""
    _, length, _ = call("tensor.storage", (t,))
    return length != t.numel()


def reduced(t, proto):
    """What pickle keeps of a tensor."""
    from . import _utils
    from ._tensor import Tensor

    args = (t._typed_storage(), t.storage_offset(), tuple(t.size()), t.stride(), t.requires_grad, OrderedDict())
    if type(t) is Tensor and not t.__dict__:
        return _utils._rebuild_tensor_v2, args
    return _utils._rebuild_from_type_v2, (_utils._rebuild_tensor_v2, type(t), args, dict(t.__dict__))
