"""Layers that pad the last dimensions."""

import torch.nn.functional as F
from torch.nn.modules._layer import family, publish
from torch.nn.modules.module import Module
from torch.nn.modules.utils import _ntuple

__all__ = [
    f"{kind}Pad{n}d" for kind in ("Circular", "Constant", "Reflection", "Replication", "Zero") for n in (1, 2, 3)
]


class _PlainPadNd(Module):
    """A layer that shows nothing but its padding."""

    def extra_repr(self):
        return f"{self.padding}"


class _CircularPadNd(_PlainPadNd):
    """Pads with the elements from the other end."""

    def _check_input_dim(self, input):
        n = len(self.padding) // 2
        if input.dim() not in (n + 1, n + 2):
            raise ValueError(f"expected {n + 1}D or {n + 2}D input (got {input.dim()}D input)")

    def forward(self, input):
        self._check_input_dim(input)
        return F.pad(input, self.padding, "circular")


class _ConstantPadNd(Module):
    """Pads with a value."""

    def __init__(self, value):
        super().__init__()
        self.value = value

    def forward(self, input):
        return F.pad(input, self.padding, "constant", self.value)

    def extra_repr(self):
        return f"padding={self.padding}, value={self.value}"


class _ReflectionPadNd(_PlainPadNd):
    """Pads with the elements before the end, mirrored."""

    def forward(self, input):
        return F.pad(input, self.padding, "reflect")


class _ReplicationPadNd(_PlainPadNd):
    """Pads with the last element."""

    def forward(self, input):
        return F.pad(input, self.padding, "replicate")


for _base, _name in (
    (_CircularPadNd, "CircularPad{n}d"),
    (_ReflectionPadNd, "ReflectionPad{n}d"),
    (_ReplicationPadNd, "ReplicationPad{n}d"),
):
    family(_base, _name, parameters="padding", stored={"padding": "_ntuple({n} * 2)(padding)"})
del _base, _name


def _constant_pads(n):
    """The layers that pad n dimensions with a value, and with zeros."""
    tuple_of = _ntuple(2 * n)

    class ConstantPad(_ConstantPadNd):
        """Pads with a value."""

        def __init__(self, padding, value):
            super().__init__(value)
            self.padding = tuple_of(padding)

    class ZeroPad(ConstantPad):
        """Pads with zeros."""

        def __init__(self, padding):
            super().__init__(padding, 0.0)

        def extra_repr(self):
            return f"{self.padding}"

    publish(ConstantPad, f"ConstantPad{n}d")
    publish(ZeroPad, f"ZeroPad{n}d")


for _n in 1, 2, 3:
    _constant_pads(_n)
del _n
