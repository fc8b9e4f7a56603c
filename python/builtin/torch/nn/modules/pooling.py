"""Pooling layers."""

import torch.nn.functional as F  # noqa: F401  (the forward methods name it)
from torch._unsupported import unsupported
from torch.nn.modules._layer import family, layer
from torch.nn.modules.module import Module
from torch.nn.modules.utils import _ntuple, _single  # noqa: F401

__all__ = [
    f"{kind}{n}d"
    for kind in ("MaxPool", "MaxUnpool", "AvgPool", "LPPool", "AdaptiveMaxPool", "AdaptiveAvgPool", "FractionalMaxPool")
    for n in (1, 2, 3)
    if (kind, n) != ("FractionalMaxPool", 1)
]


class _MaxPoolNd(Module):
    """The largest element of each window."""

    def __init__(self, kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False):
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.dilation = dilation
        self.return_indices = return_indices
        self.ceil_mode = ceil_mode

    def extra_repr(self):
        return (
            f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}, "
            f"dilation={self.dilation}, ceil_mode={self.ceil_mode}"
        )


family(
    _MaxPoolNd,
    "MaxPool{n}d",
    "F.max_pool{n}d(input, self.kernel_size, self.stride, self.padding, self.dilation,"
    " ceil_mode=self.ceil_mode, return_indices=self.return_indices)",
)


class _MaxUnpoolNd(Module):
    """Puts what a max pooling layer gave back to where it was."""

    def extra_repr(self):
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


family(
    _MaxUnpoolNd,
    "MaxUnpool{n}d",
    "F.max_unpool{n}d(input, indices, self.kernel_size, self.stride, self.padding, output_size)",
    parameters="kernel_size, stride=None, padding=0",
    stored={
        "kernel_size": "_ntuple({n})(kernel_size)",
        "stride": "_ntuple({n})(kernel_size if stride is None else stride)",
        "padding": "_ntuple({n})(padding)",
    },
    inputs="input, indices, output_size=None",
)


class _AvgPoolNd(Module):
    """The average of each window."""

    def extra_repr(self):
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


@layer(
    "kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True",
    "F.avg_pool1d(input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad)",
    stored={
        "kernel_size": "_single(kernel_size)",
        "stride": "_single(kernel_size if stride is None else stride)",
        "padding": "_single(padding)",
    },
    shown="",
)
class AvgPool1d(_AvgPoolNd):
    """The average of each window along a line."""


_planes_and_volumes = layer(
    "kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None",
    stored={"stride": "kernel_size if stride is None else stride"},
    shown="",
)
_result = (
    "F.avg_pool{n}d(input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad,"
    " self.divisor_override)"
)


@layer(result=_result.format(n=2))
@_planes_and_volumes
class AvgPool2d(_AvgPoolNd):
    """The average of each window of a plane."""


@layer(result=_result.format(n=3))
@_planes_and_volumes
class AvgPool3d(_AvgPoolNd):
    """The average of each window of a volume."""


@layer("norm_type, kernel_size, stride=None, ceil_mode=False")
class _LPPoolNd(Module):
    """The norm of each window."""


family(
    _LPPoolNd,
    "LPPool{n}d",
    "F.lp_pool{n}d(input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode)",
)


@layer("output_size, return_indices=False", shown="output_size")
class _AdaptiveMaxPoolNd(Module):
    """The largest element of each of as many windows as output_size says."""


family(
    _AdaptiveMaxPoolNd, "AdaptiveMaxPool{n}d", "F.adaptive_max_pool{n}d(input, self.output_size, self.return_indices)"
)


@layer("output_size")
class _AdaptiveAvgPoolNd(Module):
    """The average of each of as many windows as output_size says."""


family(_AdaptiveAvgPoolNd, "AdaptiveAvgPool{n}d", "F.adaptive_avg_pool{n}d(input, self.output_size)")


class FractionalMaxPool2d(Module):
    """Not part of this engine."""

    def __init__(self, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None):
        unsupported("torch.nn." + self.__class__.__name__)


class FractionalMaxPool3d(FractionalMaxPool2d):
    """Not part of this engine."""
