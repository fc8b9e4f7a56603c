"""torch.device. Everything is on the CPU; other devices can be named, not used."""

from ._engine import call
from ._values import converters

_TYPES = (
    "cpu cuda ipu xpu mkldnn opengl opencl ideep hip ve fpga maia xla lazy vulkan mps meta hpu mtia privateuseone"
).split()

_ARGUMENTS = (
    "device() received an invalid combination of arguments - got (%s), but expected one of:\n"
    " * (torch.device device)\n%s"
    " * (str type, int index = -1)\n%s"
)


def _mismatch(args, kwargs):
    names = [type(a).__name__ for a in args] + ["%s=%s" % (k, type(v).__name__) for k, v in kwargs.items()]
    if not args and not kwargs:
        detail = ""
    else:
        detail = "      didn't match because some of the arguments have invalid types: (%s)\n" % ", ".join(
            "!%s!" % n for n in names
        )
    return TypeError(_ARGUMENTS % (", ".join(names), detail, ""))


def _parse(text):
    if not text:
        raise RuntimeError("Device string must not be empty")
    kind, colon, index = text.partition(":")
    if not kind.replace("_", "a").isalpha() or colon and (not index.isdigit() or (len(index) > 1 and index[0] == "0")):
        raise RuntimeError("Invalid device string: '%s'" % text)
    if kind not in _TYPES:
        raise RuntimeError(
            "Expected one of %s device type at start of device string: %s" % (", ".join(_TYPES), kind)
        )
    return kind, int(index) if colon else None


class device:
    """Where a tensor is: device("cpu"), device("cuda:0"), device("cuda", 0)."""

    __slots__ = ("type", "index")
    __module__ = "torch"

    def __new__(cls, *args, **kwargs):
        given = dict(zip(("type", "index"), args), **kwargs)
        what, index = given.get("type", given.get("device")), given.get("index")
        if isinstance(what, device):
            return what
        if isinstance(what, int) and not isinstance(what, bool) and index is None:
            raise RuntimeError("Cannot access accelerator device when none is available.")
        if not isinstance(what, str) or not (index is None or isinstance(index, int)):
            raise _mismatch(args, kwargs)
        kind, number = _parse(what)
        if index is not None:
            if number is not None:
                raise RuntimeError(
                    "type (string) must not include an index because index was passed explicitly: " + what
                )
            number = index if index >= 0 else None
        self = object.__new__(cls)
        object.__setattr__(self, "type", kind)
        object.__setattr__(self, "index", number)
        return self

    def __setattr__(self, name, value):
        raise AttributeError("attribute '%s' of 'torch.device' objects is not writable" % name)

    def __repr__(self):
        if self.index is None:
            return "device(type='%s')" % self.type
        return "device(type='%s', index=%d)" % (self.type, self.index)

    def __str__(self):
        return self.type if self.index is None else "%s:%d" % (self.type, self.index)

    def __eq__(self, other):
        if not isinstance(other, device):
            return NotImplemented
        return self.type == other.type and self.index == other.index

    def __hash__(self):
        return hash((self.type, self.index))

    def __reduce__(self):
        return device, (self.type,) if self.index is None else (self.type, self.index)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __enter__(self):
        check(self)
        return self

    def __exit__(self, *exc):
        pass


CPU = device("cpu")


def check(where):
    """Raises what PyTorch raises when a tensor is to be made on a device it does not have."""
    if not isinstance(where, device):
        where = device(where)
    if where.type != "cpu":
        call("torch.empty", (0,), {"device": str(where)})


converters[device] = str
