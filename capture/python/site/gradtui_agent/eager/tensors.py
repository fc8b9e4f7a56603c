"""Numbers for tensors, and what is known of each.

A tensor is known by a weak reference, so it dies when it would without us. Kinds of
tensors (`Sort`) are what decides, with the other arguments, how an operation turns out:
layout, type, whether a gradient is wanted.
"""

import weakref
from itertools import count

import torch

from .wire import pending

Tensor = torch.Tensor
Base = torch._C.TensorBase if hasattr(torch._C, "TensorBase") else torch._C._TensorBase
Parameter = torch.nn.Parameter

refs = {}  # id of a tensor -> Ref
keepers = {}  # number -> Ref, of tensors that keep their gradients: leaves and others that were asked to
next_number = count(1).__next__

# Attributes as C sees them: what the program patches or overrides is not ours to call.
_get = {name: getattr(Base, name).__get__ for name in (
    "_version", "shape", "dtype", "grad_fn", "requires_grad", "_base", "output_nr", "is_leaf", "device", "layout",
    "_cdata", "data", "grad", "is_sparse", "is_quantized",
)}
version, shape, dtype, grad_fn = _get["_version"], _get["shape"], _get["dtype"], _get["grad_fn"]
requires_grad, base_of, output_nr, cdata = _get["requires_grad"], _get["_base"], _get["output_nr"], _get["_cdata"]
grad_of, data_of, layout_of, device_of = _get["grad"], _get["data"], _get["layout"], _get["device"]
stride, data_ptr, storage_offset = Base.stride, Base.data_ptr, Base.storage_offset
is_contiguous, is_inference, numel, element_size = Base.is_contiguous, Base.is_inference, Base.numel, Base.element_size
detach, tolist = Base.detach, Base.tolist
_retains = getattr(Base, "retains_grad").__get__

REQUIRES_GRAD, PARAMETER, NUMBER, INFERENCE, EXISTING, GRADIENT = 1, 2, 4, 8, 16, 32  # as on the tape

NO_VIEW, PLAIN_VIEW, MULTI_OUTPUT, NO_GRAD_VIEW, FUNCTION_VIEW, INFERENCE_VIEW = range(6)

LEAF, INNER = 1, 2  # what a gradient is wanted for: a leaf, or something that was computed


class Ref(weakref.ref):
    """What is known of a tensor. counter is shared by all tensors whose versions
    are; at is the version at which this one was looked at; grad is its gradient edge,
    (sequence number of its node, output_nr), None for a leaf."""

    __slots__ = ("n", "key", "sort", "counter", "at", "grad", "base")


class Sort:
    """A kind of tensors. Two tensors of one Sort give the same result."""

    __slots__ = ("meta", "cls", "wants", "view", "plain")

    def __init__(self, meta, cls, wants, view):
        self.meta = meta  # the number of the layout
        self.cls = cls
        self.wants = wants  # 0, LEAF or INNER
        self.view = view
        # Whether forms are learned for it. A view whose history may be rewritten by
        # a change of its base is looked at each time.
        self.plain = cls in (Tensor, Parameter) and not (view and wants)


_sorts = {}
_metas = {}
_next_meta = count(1).__next__


def dead(ref):
    """A tensor has died."""
    if refs.get(ref.key) is ref:
        del refs[ref.key]
    if ref.n in keepers:
        del keepers[ref.n]
    pending.append(ref.n)


def sorted_as(r, sort):
    """Says of which Sort a tensor is."""
    r.sort = sort
    if sort.wants == LEAF:
        keepers[r.n] = r


def name_of(dtype):
    """"float32"."""
    return str(dtype)[6:]


def meta_of(t):
    """The number of a tensor's layout."""
    try:
        strides = None if is_contiguous(t) else stride(t)
    except RuntimeError:  # sparse tensors and the like have none
        strides = None
    key = (shape(t), dtype(t), strides, device_of(t), layout_of(t))
    m = _metas.get(key)
    if m is None:
        m = _metas[key] = _next_meta()
        sizes = tuple(map(int, key[0]))
        pending.append(("meta", m, name_of(key[1]), sizes, strides and tuple(map(int, strides)), str(key[3]), element_size(t)))
    return m


def sort_of(t):
    """The Sort of a tensor."""
    wants = 0
    if requires_grad(t):
        wants = LEAF if _get["is_leaf"](t) else INNER
    view = base_of(t) is not None
    key = (meta_of(t), t.__class__, wants, view, is_inference(t))
    sort = _sorts.get(key)
    if sort is None:
        sort = _sorts[key] = Sort(key[0], key[1], wants, view)
        if key[4]:
            sort.plain = False
    return sort


def version_of(t):
    """The version of a tensor; those of inference tensors have none."""
    try:
        return version(t)
    except RuntimeError:
        return 0


def storage_key(t):
    """Something that tensors which share memory have in common, or 0."""
    try:
        return untyped(t)
    except (RuntimeError, NotImplementedError):
        return 0


if hasattr(Base, "untyped_storage"):

    def untyped(t, _storage=Base.untyped_storage):
        return _storage(t)._cdata

else:

    def untyped(t, _storage=Base._storage if hasattr(Base, "_storage") else Base.storage):
        return _storage(t)._cdata


def offset_of(t):
    """The place of the first element in the storage."""
    try:
        return storage_offset(t)
    except (RuntimeError, NotImplementedError):
        return 0


def add(t, n=None):
    """A new Ref for a tensor that has none."""
    r = Ref(t, dead)
    r.n = n or next_number()
    r.key = id(t)
    sorted_as(r, sort_of(t))
    r.grad = r.base = None
    r.at = version_of(t)
    refs[r.key] = r
    return r


def known(t):
    """The Ref of a tensor, or None."""
    return refs.get(id(t))


def flags_of(t, sort):
    flags = 0
    if sort.wants == LEAF:
        flags |= REQUIRES_GRAD
    if isinstance(t, Parameter):
        flags |= PARAMETER
    if is_inference(t):
        flags |= INFERENCE
    return flags
