"""Storages: the memory that tensors show, one or several of them."""

import weakref

from gradtui._agent.imports import standard
from torch._namespace import missing

from ._device import CPU
from ._dtypes import ALL as DTYPES
from ._dtypes import SCALAR_TYPES
from ._engine import call
from ._values import converters, keep

_known = weakref.WeakValueDictionary()  # address -> UntypedStorage


def storage_of(t):
    """The storage of a tensor; tensors with the same memory have the same one."""
    address, _, _ = call("tensor.storage", (t,))
    s = _known.get(address)
    if s is None:
        s = _known[address] = UntypedStorage._of(call("tensor.whole", (t,)))
    return s


_warned = False


def warn_deprecated(level):
    """Warns, the first time, that typed storages will go."""
    global _warned
    if _warned:
        return
    _warned = True
    standard("warnings").warn(
        "TypedStorage is deprecated. It will be removed in the future and UntypedStorage will be the only storage class. "
        "This should only matter to you if you are using storages directly.  To access UntypedStorage directly, use "
        "tensor.untyped_storage() instead of tensor.storage()",
        UserWarning,
        stacklevel=level + 1,
    )


class UntypedStorage:
    """Bytes that tensors share."""

    __module__ = "torch.storage"
    is_cuda = is_sparse = is_sparse_csr = is_hpu = False
    device = CPU

    def __init__(self, *args, device=None):
        import torch

        n = args[0] if args and isinstance(args[0], int) else 0
        values = args[0] if args and not isinstance(args[0], int) else None
        if values is not None:
            self._whole = torch.tensor(list(values), dtype=torch.uint8)
        else:
            self._whole = torch.zeros(n, dtype=torch.uint8)
        _known[call("tensor.storage", (self._whole,))[0]] = self

    @classmethod
    def _of(cls, whole):
        self = object.__new__(cls)
        self._whole = whole
        return self

    def _elements_as(self, dtype, _):
        """The memory as a tensor of a dtype, or of the dtype that it has."""
        if dtype not in (None, self._whole.dtype):
            from ._unsupported import unsupported

            unsupported("a storage with elements of another type")
        return self._whole

    def nbytes(self):
        return self._whole.numel() * self._whole.dtype.itemsize

    size = __len__ = nbytes

    def element_size(self):
        return 1

    def data_ptr(self):
        return call("tensor.storage", (self._whole,))[0] if self._whole.numel() else 0

    def _bytes(self):
        return call("tensor.bytes", (self._whole,))

    def tolist(self):
        return list(self._bytes())

    def __iter__(self):
        return iter(self.tolist())

    def __getitem__(self, key):
        if isinstance(key, slice):
            return UntypedStorage(list(self._bytes()[key]))
        return self._bytes()[key]

    def __setitem__(self, key, value):
        from ._unsupported import unsupported

        unsupported("writing to an UntypedStorage")

    def clone(self):
        return UntypedStorage._of(self._whole.clone())

    def copy_(self, source, non_blocking=None):
        self._whole.copy_(source._whole)
        return self

    def cpu(self):
        return self

    def is_shared(self):
        return False

    def is_pinned(self, device="cuda"):
        return False

    def share_memory_(self):
        return self

    def resize_(self, size):
        from ._unsupported import unsupported

        if size != self.nbytes():
            unsupported("resizing a storage")
        return self

    def type(self, dtype=None, non_blocking=False):
        return "torch.storage.UntypedStorage"

    def __deepcopy__(self, memo):
        if id(self) not in memo:
            memo[id(self)] = self.clone()
        return memo[id(self)]

    def __reduce__(self):
        return _loaded, (self._whole.dtype.name, self._bytes())

    def __repr__(self):
        listed = "\n ".join(str(b) for b in self._bytes())
        return " " + listed + "\n[torch.storage.UntypedStorage(device=cpu) of size %d]" % self.nbytes()


def _loaded(dtype, data):
    d = DTYPES[dtype]
    whole = call("tensor.from_bytes", (d, (len(data) // d.itemsize,), data))
    s = UntypedStorage._of(whole)
    _known[call("tensor.storage", (whole,))[0]] = s
    return s


def _loaded_typed(dtype, data):
    return TypedStorage(wrap_storage=_loaded(dtype.name, data), dtype=dtype, _internal=True)


class _TypedStorageMeta(type):
    dtype = None

    def __instancecheck__(cls, instance):
        if cls is TypedStorage or not isinstance(instance, TypedStorage):
            return type.__instancecheck__(cls, instance)
        return cls.dtype is instance.dtype


class TypedStorage(metaclass=_TypedStorageMeta):
    """A storage and the type of its elements."""

    __module__ = "torch.storage"
    dtype = None
    is_cuda = is_sparse = False
    device = CPU

    def __init__(self, *args, wrap_storage=None, dtype=None, device=None, _internal=False):
        import torch

        self.dtype = dtype or type(self).dtype or torch.get_default_dtype()
        if wrap_storage is not None:
            self._untyped_storage = wrap_storage
        elif args and not isinstance(args[0], int):
            self._untyped_storage = storage_of(torch.tensor(list(args[0]), dtype=self.dtype))
        else:
            self._untyped_storage = storage_of(torch.zeros(args[0] if args else 0, dtype=self.dtype))

    def untyped(self):
        return self._untyped_storage

    @property
    def _elements(self):
        return self._untyped_storage._whole

    def _elements_as(self, dtype, names):
        if dtype not in (None, self.dtype):
            raise RuntimeError(
                "Expected a Storage of type %s or an UntypedStorage, but got type %s for argument 1 'storage'"
                % (names[dtype.name], SCALAR_TYPES[self.dtype.name])
            )
        return self._elements

    def size(self):
        return self._elements.numel()

    __len__ = _size = size

    def nbytes(self):
        return self._untyped_storage.nbytes()

    def element_size(self):
        return self.dtype.itemsize

    def data_ptr(self):
        return self._untyped_storage.data_ptr()

    def tolist(self):
        return self._elements.tolist()

    def __iter__(self):
        return iter(self.tolist())

    def __getitem__(self, key):
        if isinstance(key, slice):
            raise RuntimeError("slices are only supported in UntypedStorage.__getitem__")
        return self._elements[key].item()

    def __setitem__(self, key, value):
        self._elements[key] = value

    def fill_(self, value):
        self._elements.fill_(value)
        return self

    def copy_(self, source, non_blocking=None):
        self._elements.copy_(source._elements)
        return self

    def clone(self):
        return TypedStorage(wrap_storage=self._untyped_storage.clone(), dtype=self.dtype, _internal=True)

    def cpu(self):
        return self

    def is_shared(self):
        return False

    def type(self, dtype=None, non_blocking=False):
        from ._dtypes import TYPE_NAMES

        return "torch." + TYPE_NAMES[self.dtype.name].replace("Tensor", "Storage")

    pickle_storage_type = type

    def __deepcopy__(self, memo):
        return TypedStorage(wrap_storage=self._untyped_storage.__deepcopy__(memo), dtype=self.dtype, _internal=True)

    def __reduce__(self):
        return _loaded_typed, (self.dtype, self._untyped_storage._bytes())

    def __eq__(self, other):
        return isinstance(other, TypedStorage) and self.data_ptr() == other.data_ptr() and self.dtype is other.dtype

    __hash__ = object.__hash__

    def __repr__(self):
        listed = "\n ".join(str(x) for x in self.tolist())
        kind = "torch.storage.TypedStorage(dtype=%r, device=cpu)" % self.dtype
        return " %s\n[%s of size %d]" % (listed, kind, self.size())


def _legacy_classes():
    from ._dtypes import TYPE_NAMES

    for name, cls_name in TYPE_NAMES.items():
        cls_name = cls_name.replace("Tensor", "Storage")
        yield cls_name, _TypedStorageMeta(cls_name, (TypedStorage,), {"dtype": DTYPES[name], "__module__": "torch"})


LEGACY = dict(_legacy_classes())
converters[UntypedStorage] = lambda s: (b"o", keep(s), "torch.storage.UntypedStorage")


__getattr__ = missing(__name__)
