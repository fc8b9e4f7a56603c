"""Numbers for tensors, and what is known of each.

A tensor is known by a weak reference, so it dies when it would without us. Kinds of
tensors (`Sort`) are what decides, with the other arguments, how an operation turns out:
layout, type, whether a gradient is wanted.
"""

from __future__ import annotations

import functools
import weakref
from itertools import count

import torch
from torch import Tensor

from . import amounts, wire
from ._protocol import FLAG_INFERENCE, FLAG_PARAMETER, FLAG_REQUIRES_GRAD
from .wire import pending

TYPE_CHECKING = False  # typing is not imported for it
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

Base = torch._C.TensorBase if hasattr(torch._C, "TensorBase") else torch._C._TensorBase
Parameter = torch.nn.Parameter
OWN = (Tensor, Parameter)  # classes that no code of the program answers for

refs: dict[int, Ref] = {}  # id of a tensor -> Ref
keepers: dict[int, Ref] = {}  # number -> Ref, of tensors that keep their gradients: leaves and others that were asked to
next_number = count(1).__next__

# Attributes as C sees them: what the program patches or overrides is not ours to call.
_get = {name: getattr(Base, name).__get__ for name in (
    "_version", "shape", "dtype", "grad_fn", "requires_grad", "_base", "output_nr", "is_leaf", "device", "layout",
    "_cdata", "data", "grad", "is_sparse", "is_quantized",
)}
version, shape, dtype = _get["_version"], _get["shape"], _get["dtype"]
requires_grad, base_of, output_nr, cdata = _get["requires_grad"], _get["_base"], _get["output_nr"], _get["_cdata"]
data_of, layout_of, device_of = _get["data"], _get["layout"], _get["device"]
stride, data_ptr, storage_offset = Base.stride, Base.data_ptr, Base.storage_offset
is_contiguous, is_inference, numel, element_size = Base.is_contiguous, Base.is_inference, Base.numel, Base.element_size
detach, tolist = Base.detach, Base.tolist
_retains = Base.retains_grad.__get__

LEAF, INNER = 1, 2  # what a gradient is wanted for: a leaf, or something that was computed


class Ref(weakref.ref):
    """What is known of a tensor: its number, the version at which it was looked at, the
    sequence number of its node (-1: it has none) and output_nr. counter is shared by all
    tensors whose versions are; what is not set is as for a tensor of its own."""

    __slots__ = ("n", "key", "sort", "at", "seq", "nr", "counter", "base")
    n: int
    key: int  # the id of the tensor
    sort: Sort
    at: int
    seq: int
    nr: int
    counter: list[int]
    base: int | None

    def __getattr__(self, name: str) -> Any:
        value = [self.at] if name == "counter" else 0 if name == "nr" else None
        setattr(self, name, value)
        return value

    @property
    def grad(self) -> tuple[int, int] | None:
        """Its gradient edge, (sequence number, output_nr); None if it has none or is a leaf."""
        return None if self.seq < 0 else (self.seq, self.nr)

    @grad.setter
    def grad(self, edge: tuple[int, int] | None) -> None:
        self.seq, self.nr = (-1, 0) if edge is None else edge


class Sort:
    """A kind of tensors. Two tensors of one Sort give the same result."""

    __slots__ = ("meta", "cls", "wants", "view", "plain", "flags", "size")

    def __init__(self, meta: int, cls: type, wants: int, view: bool, inference: bool) -> None:
        self.meta = meta  # the number of the layout
        self.cls = cls
        self.wants = wants  # 0, LEAF or INNER
        self.view = view
        self.plain = cls in OWN and not inference  # whether signatures are learned for it
        self.size: tuple[int, int] | None = None  # what values.size_of says of its tensors
        self.flags = (FLAG_REQUIRES_GRAD if wants == LEAF else 0) | (FLAG_PARAMETER if cls is Parameter else 0) | (FLAG_INFERENCE if inference else 0)


_sorts: dict[Any, Sort] = {}
_metas: dict[Any, int] = {}
_next_meta = count(1).__next__


def reset() -> None:
    """Forgets all tensors and their kinds."""
    forget()
    _sorts.clear()
    _metas.clear()


# What has died is put among the records, and gets out of refs before those are sent. So
# refs may have what is dead. No Python function is called when a tensor dies: what a signal
# handler of the program raises in such a function would be lost.
dies: Callable[[Any], None] = pending.append


def bury(records: list[Any]) -> list[Any]:
    """What to send for some records: the numbers of tensors instead of references to dead
    ones."""
    return [bury_one(r) if r.__class__ is Ref else r for r in records]


def bury_one(ref: Ref) -> int:
    if refs.get(ref.key) is ref:
        del refs[ref.key]
    keepers.pop(ref.n, None)
    amounts.chosen.pop(ref.n, None)
    return ref.n


wire.bury = bury


def forget() -> None:
    """Nothing is known of any tensor any more."""
    keepers.clear()
    refs.clear()


def sorted_as(r: Ref, sort: Sort) -> None:
    """Says of which Sort a tensor is."""
    r.sort = sort
    if sort.wants == LEAF:
        keepers[r.n] = r


@functools.cache
def name_of(dtype: torch.dtype) -> str:
    """"float32"."""
    return str(dtype)[6:]


_not_answering = torch._C._disabled_torch_dispatch_impl
_answering = {Tensor: False, Parameter: False}  # class -> whether it has a __torch_dispatch__ of its own


def answers(t: Tensor) -> bool:
    """Whether Python code answers what a tensor is asked: it would notice."""
    cls = t.__class__
    found = _answering.get(cls)
    if found is None:
        found = _answering[cls] = getattr(type(t), "__torch_dispatch__", _not_answering) is not _not_answering
    return found


def meta_of(t: Tensor) -> int:
    """The number of a tensor's layout."""
    if answers(t):
        key = dtype(t)
        m = _metas.get(key)
        if m is None:
            m = _metas[key] = _next_meta()
            pending.append(("meta", m, name_of(key), (), None, "python", 0))
        return m
    try:
        strides = None if is_contiguous(t) else stride(t)
    except RuntimeError:  # sparse tensors and the like have none
        strides = None
    key = (shape_of(t), dtype(t), strides, device_of(t), layout_of(t))
    try:
        m = _metas.get(key)
    except TypeError:  # sizes are unknown, which only the compiler's tensors have
        key = (None, key[1], None, key[3], key[4])
        strides = None
        m = _metas.get(key)
    if m is None:
        m = _next_meta()
        sizes = tuple(map(int, key[0] or ()))
        pending.append(("meta", m, name_of(key[1]), sizes, strides and tuple(map(int, strides)), str(key[3]), element_size(t)))
        _metas[key] = m
    return m


def sort_of(t: Tensor) -> Sort:
    """The Sort of a tensor."""
    wants = 0
    if requires_grad(t):
        wants = LEAF if is_leaf(t) else INNER
    view = base_of(t) is not None
    key = (meta_of(t), t.__class__, wants, view, is_inference(t))
    sort = _sorts.get(key)
    if sort is None:
        sort = _sorts[key] = Sort(key[0], key[1], wants, view, key[4])
        if shape_of(t) is None:
            sort.plain = False
    return sort


def shape_of(t: Tensor) -> Any:
    """The shape of a tensor; nested ones and those that Python code answers for have none."""
    if answers(t):
        return None
    try:
        return shape(t)
    except RuntimeError:
        return None


def grad_fn(t: Tensor, _grad_fn: Callable[..., Any] = _get["grad_fn"]) -> Any:
    """The grad_fn of a tensor; None where PyTorch forbids to ask: a view made under no_grad
    that was changed since."""
    try:
        return _grad_fn(t)
    except RuntimeError:
        return None


def is_leaf(t: Tensor) -> bool:
    """Whether no operation has made a tensor that requires a gradient."""
    return grad_fn(t) is None


def grad_of(t: Tensor, _grad: Callable[..., Any] = _get["grad"], _is_leaf: Callable[..., Any] = _get["is_leaf"]) -> Tensor | None:
    """The .grad of a tensor, without the warning about tensors that have none."""
    try:
        return _grad(t) if _is_leaf(t) or _retains(t) else None
    except RuntimeError:
        return None


def version_of(t: Tensor) -> int:
    """The version of a tensor; 0 for inference tensors, which have none."""
    try:
        return version(t)
    except RuntimeError:
        return 0


def storage_key(t: Tensor) -> int:
    """Something that tensors which share memory have in common, or 0."""
    if answers(t):
        return 0
    try:
        return untyped(t)
    except (RuntimeError, NotImplementedError):
        return 0


if hasattr(Base, "untyped_storage"):

    def untyped(t: Tensor, _storage: Callable[..., Any] = Base.untyped_storage) -> int:
        return _storage(t)._cdata

else:

    _storage = Base._storage if hasattr(Base, "_storage") else Base.storage

    def untyped(t: Tensor, _storage: Callable[..., Any] = _storage) -> int:
        return _storage(t)._cdata


def offset_of(t: Tensor) -> int:
    """The place of the first element in the storage."""
    if answers(t):
        return 0
    try:
        return storage_offset(t)
    except (RuntimeError, NotImplementedError):
        return 0


def add(t: Tensor, n: int | None = None) -> Ref:
    """A new Ref for a tensor that has none."""
    r = Ref(t, dies)
    r.n = n or next_number()
    r.key = id(t)
    sorted_as(r, sort_of(t))
    r.seq = -1
    r.at = version_of(t)
    refs[r.key] = r
    return r


def not_ours(of: Callable[..., Any]) -> Callable[..., Any]:
    """Takes the place of weakref.getweakrefs and getweakrefcount, which leave ours out."""
    count = of is weakref.getweakrefcount
    get = weakref.getweakrefs

    def call(object, /):
        found = [r for r in get(object) if r.__class__ is not Ref]
        return len(found) if count else found

    return functools.update_wrapper(call, of)


def swapped(a: Tensor, b: Tensor) -> None:
    """Two tensor objects have each become what the other one was."""
    p, q = known(a), known(b)
    if p is None or q is None:
        for r in (p, q):
            if r is not None:
                del refs[r.key]
        return
    for name in ("n", "sort", "counter", "at", "grad", "base"):
        v = getattr(p, name)
        setattr(p, name, getattr(q, name))
        setattr(q, name, v)
    for r in (p, q):
        keepers.pop(r.n, None)
        sorted_as(r, r.sort)


def known(t: Any) -> Ref | None:
    """The Ref of a tensor, or None."""
    r = refs.get(id(t))
    return r if r is not None and r() is t else None  # another one may have been at the same address


def flags_of(t: Tensor, sort: Sort) -> int:
    """The flags of a tensor on the tape, of which only tensors of classes of the program
    have some of their own."""
    own = sort.cls not in OWN and isinstance(t, Parameter)
    return sort.flags | (FLAG_PARAMETER if own else 0)
