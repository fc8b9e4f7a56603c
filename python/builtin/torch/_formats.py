"""Layouts, memory formats and quantization schemes: names that print themselves."""

from ._values import converters


class _Name:
    __slots__ = ("_name",)

    def __init__(self, name):
        self._name = name

    def __repr__(self):
        return "torch." + self._name

    def __reduce__(self):
        return self._name

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


class layout(_Name):
    """How the elements of a tensor are stored."""

    __slots__ = ()
    __module__ = "torch"


class memory_format(_Name):
    """In which order the elements of a tensor are stored."""

    __slots__ = ()
    __module__ = "torch"


class qscheme(_Name):
    """How a tensor is quantized."""

    __slots__ = ()
    __module__ = "torch"


LAYOUTS = {n: layout(n) for n in "strided sparse_coo sparse_csr sparse_csc sparse_bsr sparse_bsc jagged".split()}
MEMORY_FORMATS = {
    n: memory_format(n) for n in "contiguous_format channels_last channels_last_3d preserve_format".split()
}
QSCHEMES = {
    n: qscheme(n)
    for n in "per_tensor_affine per_channel_affine per_tensor_symmetric per_channel_symmetric per_channel_affine_float_qparams".split()
}
ALL = {**LAYOUTS, **MEMORY_FORMATS, **QSCHEMES, "legacy_contiguous_format": MEMORY_FORMATS["contiguous_format"]}

strided = LAYOUTS["strided"]
contiguous_format = MEMORY_FORMATS["contiguous_format"]


def _layout(v):
    if v is not strided:
        from ._unsupported import unsupported

        unsupported("layout=" + repr(v))
    return v._name


def _memory_format(v):
    if v._name.startswith("channels_last"):
        from ._unsupported import unsupported

        unsupported("memory_format=" + repr(v))
    return v._name.replace("_format", "")


converters[layout] = _layout
converters[memory_format] = _memory_format
