"""Element types: torch.float32 and the others, torch.finfo and torch.iinfo."""

# name, bytes, kind (f float, i signed, u unsigned, b bool, c complex, q quantized
# or raw bits), other names
_TABLE = [
    ("uint8", 1, "u", ""),
    ("int8", 1, "i", ""),
    ("int16", 2, "i", "short"),
    ("int32", 4, "i", "int"),
    ("int64", 8, "i", "long"),
    ("float16", 2, "f", "half"),
    ("float32", 4, "f", "float"),
    ("float64", 8, "f", "double"),
    ("complex32", 4, "c", "chalf"),
    ("complex64", 8, "c", "cfloat"),
    ("complex128", 16, "c", "cdouble"),
    ("bool", 1, "b", ""),
    ("bfloat16", 2, "f", ""),
    ("float8_e5m2", 1, "f", ""),
    ("float8_e4m3fn", 1, "f", ""),
    ("float8_e5m2fnuz", 1, "f", ""),
    ("float8_e4m3fnuz", 1, "f", ""),
    ("uint16", 2, "u", ""),
    ("uint32", 4, "u", ""),
    ("uint64", 8, "u", ""),
    ("qint8", 1, "q", ""),
    ("quint8", 1, "q", ""),
    ("qint32", 4, "q", ""),
    ("quint4x2", 1, "q", ""),
    ("quint2x4", 1, "q", ""),
    ("bits1x8", 1, "q", ""),
    ("bits2x4", 1, "q", ""),
    ("bits4x2", 1, "q", ""),
    ("bits8", 1, "q", ""),
    ("bits16", 2, "q", ""),
]

# What the engine computes with; the others are names only.
COMPUTED = frozenset(
    "uint8 int8 int16 int32 int64 float16 float32 float64 bool bfloat16".split()
)

_C_NAMES = {
    "uint8": "Byte", "int8": "Char", "int16": "Short", "int32": "Int", "int64": "Long",
    "bool": "Bool", "uint16": "UInt16", "uint32": "UInt32", "uint64": "UInt64",
}  # fmt: skip


class dtype:
    """The type of the elements of a tensor."""

    __slots__ = ("name", "itemsize", "is_floating_point", "is_complex", "is_signed", "__weakref__")
    __module__ = "torch"

    def __new__(cls, *args, **kwargs):
        raise TypeError("cannot create 'torch.dtype' instances")

    def __repr__(self):
        return "torch." + self.name

    def __reduce__(self):
        return self.name

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __dir__(self):
        return sorted(n for n in super().__dir__() if n != "name")

    def to_complex(self):
        if self.is_complex:
            return self
        pair = {"float16": "complex32", "float32": "complex64", "float64": "complex128", "bfloat16": "complex64"}
        if self.name not in pair:
            raise RuntimeError("Unknown Complex ScalarType for " + _C_NAMES.get(self.name, self.name))
        return ALL[pair[self.name]]

    def to_real(self):
        pair = {"complex32": "float16", "complex64": "float32", "complex128": "float64"}
        return ALL[pair.get(self.name, self.name)]


def _make(name, size, kind):
    d = object.__new__(dtype)
    d.name, d.itemsize = name, size
    d.is_floating_point, d.is_complex, d.is_signed = kind == "f", kind == "c", kind in "fic"
    return d


# ALL has every dtype by its proper name, BY_NAME by its other names too.
ALL = {name: _make(name, size, kind) for name, size, kind, _ in _TABLE}
BY_NAME = dict(ALL)
BY_NAME.update((alias, ALL[name]) for name, _, _, alias in _TABLE if alias)

# The classes named after element types, such as torch.FloatTensor.
TYPE_NAMES = {
    "float32": "FloatTensor", "float64": "DoubleTensor", "float16": "HalfTensor", "bfloat16": "BFloat16Tensor",
    "uint8": "ByteTensor", "int8": "CharTensor", "int16": "ShortTensor", "int32": "IntTensor",
    "int64": "LongTensor", "bool": "BoolTensor",
}  # fmt: skip
SCALAR_TYPES = {d: name[: -len("Tensor")] for d, name in TYPE_NAMES.items()}  # as C++ code calls element types
C_TYPES = {
    "float32": "float", "float64": "double", "float16": "c10::Half", "bfloat16": "c10::BFloat16", "bool": "bool",
    "int8": "signed char", "int16": "short int", "int32": "int", "int64": "long int", "uint8": "unsigned char",
}  # fmt: skip


class _info:
    __slots__ = ("_type",)

    def __eq__(self, other):
        return type(other) is type(self) and other._type is self._type

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return hash(self._type)

    @property
    def dtype(self):
        return self._type.name

    @property
    def bits(self):
        return self._type.itemsize * 8


# bits of the fraction, exponent of the largest power of two, decimal digits
_FLOATS = {
    "float16": (10, 15, 3), "bfloat16": (7, 127, 2), "float32": (23, 127, 6), "float64": (52, 1023, 15),
    "float8_e5m2": (2, 15, 0), "float8_e5m2fnuz": (2, 15, 0),
}  # fmt: skip


class finfo(_info):
    """Limits of a floating-point type; without argument, of the default dtype."""

    __slots__ = ()
    __module__ = "torch"

    def __new__(cls, type=None):
        if type is None:
            from . import get_default_dtype

            type = get_default_dtype()
        if not isinstance(type, dtype):
            raise TypeError(
                "finfo(): argument 'type' (position 1) must be torch.dtype, not " + type.__class__.__name__
            )
        type = type.to_real()
        if not type.is_floating_point:
            raise TypeError("torch.finfo() requires a floating point input type. Use torch.iinfo to handle 'torch.finfo'")
        if type.name not in _FLOATS:
            from ._unsupported import unsupported

            unsupported("torch.finfo of " + repr(type))
        self = object.__new__(cls)
        self._type = type
        return self

    @property
    def eps(self):
        return 2.0 ** -_FLOATS[self._type.name][0]

    @property
    def max(self):
        fraction, exponent, _ = _FLOATS[self._type.name]
        return (2.0 - 2.0**-fraction) * 2.0**exponent

    @property
    def min(self):
        return -self.max

    @property
    def tiny(self):
        return 2.0 ** (1 - _FLOATS[self._type.name][1])

    smallest_normal = tiny

    @property
    def resolution(self):
        return float("1e-%d" % _FLOATS[self._type.name][2])

    def __repr__(self):
        return "finfo(resolution=%g, min=%g, max=%g, eps=%g, smallest_normal=%g, tiny=%g, dtype=%s)" % (
            self.resolution, self.min, self.max, self.eps, self.tiny, self.tiny, self.dtype,
        )  # fmt: skip


class iinfo(_info):
    """Limits of an integer type."""

    __slots__ = ()
    __module__ = "torch"

    def __new__(cls, *args, **kwargs):
        if not args and "type" not in kwargs:
            raise TypeError('iinfo() missing 1 required positional arguments: "type"')
        type = args[0] if args else kwargs["type"]
        if not isinstance(type, dtype):
            raise TypeError(
                "iinfo(): argument 'type' (position 1) must be torch.dtype, not " + type.__class__.__name__
            )
        if type.is_floating_point or type.is_complex:
            raise TypeError("torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo'")
        if type.name == "bool":
            raise TypeError("torch.bool is not supported by torch.iinfo")
        self = object.__new__(cls)
        self._type = type
        return self

    @property
    def max(self):
        return 2 ** (self.bits - self._type.is_signed) - 1

    @property
    def min(self):
        return -(2 ** (self.bits - 1)) if self._type.is_signed else 0

    def __repr__(self):
        return "iinfo(min=%g, max=%g, dtype=%s)" % (self.min, self.max, self.dtype)
