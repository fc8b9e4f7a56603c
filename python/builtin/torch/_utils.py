"""What pickles and saved files call to make tensors."""

from ._engine import call


def _rebuild_tensor(storage, storage_offset, size, stride):
    return call("tensor.over", (storage._untyped_storage._whole, tuple(size), tuple(stride), storage_offset))


def _rebuild_tensor_v2(storage, storage_offset, size, stride, requires_grad, backward_hooks, metadata=None):
    t = _rebuild_tensor(storage, storage_offset, size, stride)
    if requires_grad:
        t.requires_grad_(True)
    return t


_rebuild_tensor_v3 = _rebuild_tensor_v2


def _rebuild_parameter(data, requires_grad, backward_hooks):
    from .nn.parameter import Parameter

    return Parameter(data, requires_grad)


def _rebuild_parameter_with_state(data, requires_grad, backward_hooks, state):
    return _set_state(_rebuild_parameter(data, requires_grad, backward_hooks), state)


def _rebuild_from_type_v2(func, new_type, args, state):
    t = func(*args)
    if type(t) is not new_type:
        t = t.as_subclass(new_type)
    if type(t).__setstate__ is not _tensor_class().__setstate__:
        t.__setstate__(state)
        return t
    return _set_state(t, state)


def _tensor_class():
    from ._tensor import Tensor

    return Tensor


def _set_state(t, state):
    if isinstance(state, tuple):
        state, slots = state
        for name, value in slots.items():
            setattr(t, name, value)
    t.__dict__.update(state or {})
    return t
