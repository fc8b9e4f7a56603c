"""Values of the program as messages to the engine carry them, and back."""

from weakref import ref

from . import _unsupported
from ._dtypes import ALL as DTYPES
from ._dtypes import COMPUTED, dtype
from ._objects import Tensor, dead, doubt, know, look_after, objects
from ._size import Size

kept = {}  # what the engine holds of ours: number -> object
classes = Tensor, Tensor  # torch.Tensor, torch.nn.Parameter

_new = object.__new__
_last_kept = 0
_many_kept = 1000


class Overridden(Exception):
    """An argument brings its own idea of what functions do: __torch_function__."""


def call(name, args=(), kwargs=None):
    """Calls a function of the engine; _engine replaces it."""


# ------------------------------------------------------------------ to the engine


def pack(v):
    """A value as messages carry it."""
    f = converters.get(v.__class__, convert)
    return v if f is None else f(v)


def handle(t):
    t._v = True
    return complex(t._h)


def _list(v):
    return [pack(x) for x in v]


def _tuple(v):
    return tuple([pack(x) for x in v])


def _class(v):
    name = _PYTHON_DTYPES.get(v)
    return (b"d", name) if name else (b"f", keep(v), name_of(v))


_PYTHON_DTYPES = {bool: "bool", int: "int64", float: "float64", complex: "complex128"}


def _dtype(v):
    if v.name not in COMPUTED:
        _unsupported.unsupported("tensors of %r" % v)
    return b"d", v.name


# The plain ones need nothing; False and True are plain, too.
converters = {
    int: None,
    float: None,
    bool: None,
    str: None,
    type(None): None,
    type(Ellipsis): None,
    list: _list,
    tuple: _tuple,
    complex: lambda v: _unsupported.unsupported("complex numbers"),
    bytes: lambda v: (b"b", v),
    Tensor: handle,
    slice: lambda v: (b"s", pack(v.start), pack(v.stop), pack(v.step)),
    dtype: _dtype,
    Size: lambda v: (b"z",) + tuple(v),
    range: _list,
    type: _class,
}


def keep(v):
    """Keeps an object for the engine and returns its number."""
    global _last_kept, _many_kept
    _last_kept += 1
    kept[_last_kept] = v
    n = _last_kept
    if len(kept) > _many_kept:
        for old in call("channel.released"):
            kept.pop(old, None)
        _many_kept = 2 * len(kept) + 1000
    return n


def name_of(f):
    """A function's name, as messages show it."""
    return getattr(f, "__name__", None) or type(f).__name__


def overriding(v):
    """A value with __torch_function__; _dispatch replaces it."""


def array(v):
    """A value that is not a number although its class has numbers; _numpy replaces it."""


def convert(v):
    """A value of a class that is not in the table."""
    c = v.__class__
    if hasattr(c, "__torch_function__"):
        return overriding(v)
    for base in c.__mro__[1:-1]:
        if base in converters:
            f = converters[base]
            if f is None:
                return base.__str__(v) if base is str else base(v)
            converters[c] = f
            return f(v)
    if hasattr(c, "__index__"):
        try:
            return pack(v.__index__())
        except TypeError:  # an array of NumPy
            return array(v)
    if hasattr(c, "__float__") and not hasattr(c, "__len__") and not callable(v):
        return float(v)
    if v is NotImplemented:
        return (b"x",)
    if callable(v):
        return (b"f", keep(v), name_of(v))
    return (b"o", keep(v), type_name(c))


_STATIC = 1 << 8 | 1 << 9  # Py_TPFLAGS_IMMUTABLETYPE, Py_TPFLAGS_HEAPTYPE


def type_name(c):
    """The name of a class as C knows it: those that are written in C have their module in it."""
    if c.__flags__ & _STATIC == 1 << 9 or c.__module__ == "builtins":
        return c.__name__
    return c.__module__ + "." + c.__name__


# ---------------------------------------------------------------- from the engine


def adopt(h, cls=None):
    """The tensor of a handle."""
    kind = int(h.imag)
    h = int(h.real)
    known = objects.get(h)
    if known is not None:
        t = known()
        if t is not None:
            t._m = kind >> 1
            return t
    doubt()  # it may be a gradient
    t = _new(cls or classes[kind & 1])
    know(t, h, kind >> 1)
    t._g = True
    if kind & 1:
        look_after(t)
    return t


def revive(v):
    """A value of a message as the program knows it."""
    c = v.__class__
    if c is complex:
        return adopt(v)
    if c is tuple:
        if v and v[0].__class__ is bytes:
            return revivers[v[0]](*v[1:])
        return tuple([revive(x) for x in v])
    if c is list:
        return [revive(x) for x in v]
    return v


def _named(type_name, names, values):
    return return_type(type_name, names)(revive(values))


class ReturnType(tuple):
    """A tuple of results with names, such as torch.return_types.max."""

    __slots__ = ()
    _names = ()

    def __repr__(self):
        shown = ",\n".join("%s=%r" % pair for pair in zip(self._names, self))
        return "%s.%s(\n%s)" % (type(self).__module__, type(self).__name__, shown)

    def __reduce__(self):
        return return_type_of, (type(self).__module__ + "." + type(self).__name__, self._names, tuple(self))


_return_types = {}


def return_type(name, fields):
    """The class of named results."""
    cls = _return_types.get(name)
    if cls is None:
        module, _, short = name.rpartition(".")
        members = {f: property(lambda self, i=i: self[i]) for i, f in enumerate(fields)}
        members.update(__slots__=(), _names=tuple(fields), __module__=module, n_fields=len(fields))
        members.update(n_sequence_fields=len(fields), n_unnamed_fields=0)
        cls = _return_types[name] = type(short, (ReturnType,), members)
    return cls


def return_type_of(name, fields, values):
    return return_type(name, fields)(values)


nodes = {}  # handle -> weak reference to the node


class Node:
    """A node of the backward graph: a grad_fn."""

    __slots__ = ("_n", "__weakref__")

    def __del__(self, nodes=nodes, gone=dead.append):
        nodes.pop(self._n, None)
        gone(self._n)

    def __getattr__(self, name):
        return call("get." + name, (self,))


class Held:
    """Something of the engine that has no class of its own here."""

    __slots__ = ("_n", "__weakref__")

    def __del__(self, gone=dead.append):
        try:
            gone(-self._n)
        except AttributeError:  # it was not finished
            pass

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda *args: call("channel.held", (self._n, name) + args)


def held(n, cls=Held):
    h = _new(cls)
    h._n = n
    return h


_node_classes = {}


def node_class(name):
    """The class of the nodes with a name."""
    cls = _node_classes.get(name)
    if cls is None:
        cls = _node_classes[name] = type(name, (Node,), {"__slots__": (), "__module__": None})
        converters[cls] = lambda node: (b"n", node._n)
    return cls


def _node(n, class_name):
    known = nodes.get(n)
    node = known and known()
    if node is None:
        if n in dead:
            dead.remove(n)
        node = _new(node_class(class_name))
        node._n = n
        nodes[n] = ref(node)
    return node


revivers = {
    b"b": lambda v: v,
    b"c": complex,
    b"d": DTYPES.__getitem__,
    b"e": lambda: Ellipsis,
    b"h": held,
    b"n": _node,
    b"o": kept.__getitem__,
    b"r": _named,
    b"s": slice,
    b"v": held,
    b"x": lambda: NotImplemented,
    b"z": lambda *sizes: tuple.__new__(Size, sizes),
}
