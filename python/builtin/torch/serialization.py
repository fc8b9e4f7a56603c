"""torch.save and torch.load: zip archives of a pickle and the memory of storages, as
PyTorch writes them."""

import contextlib
import io
import os
import pickle
import re
import zipfile
from collections import Counter, OrderedDict
from typing import IO, Callable, Dict, Optional, Union

from torch._namespace import missing

from . import _utils
from ._device import device as _device
from ._dtypes import ALL as _DTYPES
from ._engine import call
from ._formats import ALL as _FORMATS
from ._unsupported import unsupported
from .storage import LEGACY, TypedStorage, UntypedStorage, _known

DEFAULT_PROTOCOL = 2
MAGIC_NUMBER = 0x1950A86A20F9469CFC6C
PROTOCOL_VERSION = 1001
STORAGE_KEY_SEPARATOR = ","
FILE_LIKE = Union[str, "os.PathLike[str]", IO[bytes]]
MAP_LOCATION = Optional[Union[Callable[[UntypedStorage, str], UntypedStorage], _device, str, Dict[str, str]]]
STORAGE = Union[TypedStorage, UntypedStorage]

_UNSAFE = (
    "In PyTorch 2.6, we changed the default value of the `weights_only` argument in `torch.load` from `False` to `True`. "
    "Re-running `torch.load` with `weights_only` set to `False` will likely succeed, but it can result in arbitrary code "
    "execution. Do it only if you got the file from a trusted source."
)
_DOCS = (
    "\n\nCheck the documentation of torch.load to learn more about types accepted by default with weights_only "
    "https://pytorch.org/docs/stable/generated/torch.load.html."
)


def save(obj, f, pickle_module=pickle, pickle_protocol=DEFAULT_PROTOCOL, _use_new_zipfile_serialization=True,
         _disable_byteorder_record=False):  # fmt: skip
    """Writes an object with the tensors in it to a file."""
    if not isinstance(f, (str, os.PathLike)) and not hasattr(f, "write"):
        raise AttributeError("expected 'f' to be string, path, or a file-like object with a 'write' attribute")
    if not _use_new_zipfile_serialization:
        unsupported("torch.save in the format before version 1.6")
    storages = []
    names = {}

    class Pickler(pickle_module.Pickler):
        def persistent_id(self, obj):
            if not isinstance(obj, (TypedStorage, UntypedStorage)):
                return None
            untyped = obj if isinstance(obj, UntypedStorage) else obj.untyped()
            if id(untyped) not in names:
                names[id(untyped)] = str(len(storages))
                storages.append(untyped)
            kind, size = UntypedStorage, untyped.nbytes()
            if obj is not untyped:
                kind, size = LEGACY[obj.type().rpartition(".")[2]], obj.size()
            return "storage", kind, names[id(untyped)], "cpu", size

    data = io.BytesIO()
    Pickler(data, protocol=pickle_protocol).dump(obj)
    folder = os.path.splitext(os.path.basename(os.fspath(f)))[0] if isinstance(f, (str, os.PathLike)) else "archive"
    if isinstance(f, (str, os.PathLike)) and not os.path.isdir(os.path.dirname(os.path.abspath(f))):
        raise RuntimeError("Parent directory %s does not exist." % os.path.dirname(os.fspath(f)))
    with zipfile.ZipFile(f, "w", zipfile.ZIP_STORED) as archive:

        def put(name, content):
            archive.writestr(zipfile.ZipInfo("%s/%s" % (folder, name)), content)

        put("data.pkl", data.getvalue())
        put("byteorder", "little")
        for i, s in enumerate(storages):
            put("data/%d" % i, s._bytes())
        put("version", "3\n")


class _Mapped:
    """Where storages go: only to the CPU."""

    def __init__(self, map_location):
        self.map_location = map_location

    def __call__(self, storage, location):
        to = self.map_location
        if isinstance(to, dict):
            location = to.get(location, location)
        elif callable(to) and not isinstance(to, _device):
            return to(storage, location) or storage
        elif to is not None:
            location = str(_device(to))
        if location.startswith("cuda"):
            raise RuntimeError(
                "Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False. If you are "
                "running on a CPU-only machine, please use torch.load with map_location=torch.device('cpu') to map your "
                "storages to the CPU."
            )
        if not location.startswith("cpu"):
            unsupported("torch.load to the device %s" % location)
        return storage


def load(f, map_location=None, pickle_module=None, *, weights_only=None, mmap=None, **pickle_load_args):
    """Reads what save has written; only tensors and plain values, unless weights_only is off."""
    if weights_only is None:
        weights_only = pickle_module is None
    if weights_only and pickle_module is not None:
        raise RuntimeError("Can not safely load weights when explicit pickle_module is specified")
    if isinstance(f, (str, os.PathLike)):
        with open(f, "rb") as file:
            return _load(file, map_location, pickle_module or pickle, weights_only, pickle_load_args)
    if not hasattr(f, "seek"):
        raise AttributeError(
            "'%s' object has no attribute 'seek'. You can only torch.load from a file that is seekable. Please pre-load the "
            "data into a buffer like io.BytesIO and try to load from it instead." % type(f).__name__
        )
    return _load(f, map_location, pickle_module or pickle, weights_only, pickle_load_args)


def _load(file, map_location, pickle_module, weights_only, options):
    start = file.tell()
    head = file.read(4)
    file.seek(start)
    if head != b"PK\x03\x04":
        _no_archive(head, weights_only)
    # The archive may be followed by others in the same file.
    archive = zipfile.ZipFile(io.BytesIO(file.read()))
    folder = archive.namelist()[0].partition("/")[0]
    place, storages = _Mapped(map_location), {}

    def persistent_load(saved):
        _, kind, key, location, size = saved
        if key not in storages:
            dtype = kind.dtype if kind is not UntypedStorage else _DTYPES["uint8"]
            data = archive.read("%s/data/%s" % (folder, key))
            whole = call("tensor.from_bytes", (dtype, (len(data) // dtype.itemsize,), data))
            untyped = UntypedStorage._of(whole)
            _known[call("tensor.storage", (whole,))[0]] = untyped
            place(untyped, location)
            storages[key] = TypedStorage(wrap_storage=untyped, dtype=dtype, _internal=True)
        return storages[key]

    class Unpickler(pickle_module.Unpickler):
        def find_class(self, module, name):
            if module == "torch" and name.endswith("Storage") and name in LEGACY:
                return LEGACY[name]
            if weights_only:
                return _safe_class(module, name)
            return super().find_class(module, name)

    options.setdefault("encoding", "utf-8")
    unpickler = Unpickler(io.BytesIO(archive.read(folder + "/data.pkl")), **options)
    unpickler.persistent_load = persistent_load
    try:
        return unpickler.load()
    except pickle.UnpicklingError as e:
        if not weights_only:
            raise
        raise pickle.UnpicklingError(_refusal(str(e))) from None


def _no_archive(head, weights_only):
    if not head:
        raise EOFError
    if head[:1] == b"\x80":
        unsupported("torch.load of files in the format before version 1.6")
    if weights_only:
        raise pickle.UnpicklingError(_refusal("Unsupported operand %d" % head[0])) from None
    raise pickle.UnpicklingError("invalid load key, '%s'." % chr(head[0]))


def _refusal(message):
    if re.search(r"GLOBAL (\S+) was not an allowed global by default.", message):
        return (
            "Weights only load failed. This file can still be loaded, to do so you have two options, "
            "\033[1mdo those steps only if you trust the source of the checkpoint\033[0m. "
            "\n\t(1) " + _UNSAFE + "\n\t(2) Alternatively, to load with `weights_only=True` please check "
            "the recommended steps in the following error message.\n\tWeightsUnpickler error: " + message + _DOCS
        )
    text = "Weights only load failed. %s\n" % _UNSAFE
    if " is blocked" not in message:
        text += (
            "Please file an issue with the following so that we can make `weights_only=True` compatible with your use case: "
            "WeightsUnpickler error: "
        )
    return text + message + _DOCS


_user_safe = []


def _name_of(f):
    return "%s.%s" % (f.__module__, f.__qualname__)


def _allowed():
    from . import Size, Tensor, device, serialization  # noqa: F401
    from .nn.parameter import Parameter

    table = {"torch." + n: d for n, d in _DTYPES.items()}
    table.update(("torch." + n, v) for n, v in _FORMATS.items())
    for name in dir(_utils):
        if name.startswith("_rebuild"):
            table["torch._utils." + name] = getattr(_utils, name)
    table.update({
        "collections.OrderedDict": OrderedDict, "collections.Counter": Counter, "torch.nn.parameter.Parameter": Parameter,
        "torch.Size": Size, "torch.Tensor": Tensor, "torch.device": device, "torch._tensor.Tensor": Tensor,
        "torch.storage.UntypedStorage": UntypedStorage, "torch.UntypedStorage": UntypedStorage, "builtins.set": set,
        "__builtin__.set": set, "builtins.complex": complex, "__builtin__.complex": complex, "builtins.bytearray": bytearray,
    })  # fmt: skip
    return table


_BLOCKED = ("sys", "os", "posix", "nt")


def _safe_class(module, name):
    full = "%s.%s" % (module, name)
    table = _allowed()
    if full in table:
        return table[full]
    if full == "_codecs.encode":
        from codecs import encode

        return encode
    for f in _user_safe:
        f, shown = f if isinstance(f, tuple) else (f, _name_of(f))
        if shown == full:
            return f
    if module.partition(".")[0] in _BLOCKED:
        raise pickle.UnpicklingError("Trying to load unsupported GLOBAL %s whose module %s is blocked." % (full, module))
    raise pickle.UnpicklingError(
        "Unsupported global: GLOBAL %s was not an allowed global by default. Please use "
        "`torch.serialization.add_safe_globals([%s])` or the `torch.serialization.safe_globals([%s])` context manager to "
        "allowlist this global if you trust this class/function." % (full, name, name)
    )


def add_safe_globals(safe_globals):
    """Classes and functions that load may use though weights_only is on."""
    _user_safe.extend(safe_globals)


def get_safe_globals():
    return list(_user_safe)


def clear_safe_globals():
    _user_safe.clear()


@contextlib.contextmanager
def safe_globals(safe_globals):
    """A context with classes and functions that load may use."""
    before = _user_safe[:]
    _user_safe.extend(safe_globals)
    try:
        yield
    finally:
        _user_safe[:] = before


def default_restore_location(storage, location):
    return _Mapped(None)(storage, location)


def get_default_load_endianness():
    return None


__getattr__ = missing(__name__)
