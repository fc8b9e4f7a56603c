"""Convolutions and transposed convolutions, in one to three dimensions."""

import math

import torch
import torch.nn.functional as F
from torch.nn import init
from torch.nn.modules._layer import publish
from torch.nn.modules.lazy import LazyModuleMixin
from torch.nn.modules.module import Module
from torch.nn.modules.utils import _ntuple, _reverse_repeat_tuple
from torch.nn.parameter import Parameter, UninitializedParameter

__all__ = [
    f"{lazy}Conv{transposed}{n}d" for lazy in ("", "Lazy") for transposed in ("", "Transpose") for n in (1, 2, 3)
]


class _ConvNd(Module):
    """What all convolutions have: sizes, the weight and the bias."""

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride,
        padding,
        dilation,
        transposed,
        output_padding,
        groups,
        bias,
        padding_mode,
        device=None,
        dtype=None,
    ):
        super().__init__()
        if groups <= 0:
            raise ValueError("groups must be a positive integer")
        if in_channels % groups != 0:
            raise ValueError("in_channels must be divisible by groups")
        if out_channels % groups != 0:
            raise ValueError("out_channels must be divisible by groups")
        if isinstance(padding, str):
            words = {"same", "valid"}
            if padding not in words:
                raise ValueError(f"Invalid padding string {padding!r}, should be one of {words}")
            if padding == "same" and any(s != 1 for s in stride):
                raise ValueError("padding='same' is not supported for strided convolutions")
        modes = {"zeros", "reflect", "replicate", "circular"}
        if padding_mode not in modes:
            raise ValueError(f"padding_mode must be one of {modes}, but got padding_mode='{padding_mode}'")
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding
        self.dilation = dilation
        self.transposed = transposed
        self.output_padding = output_padding
        self.groups = groups
        self.padding_mode = padding_mode
        self._reversed_padding_repeated_twice = self._padding_of_input()
        shape = self._weight_shape()
        self.weight = Parameter(torch.empty(shape, device=device, dtype=dtype))
        if bias:
            self.bias = Parameter(torch.empty(out_channels, device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def _padding_of_input(self):
        """The padding as F.pad takes it, from the last dimension on."""
        if not isinstance(self.padding, str):
            return _reverse_repeat_tuple(self.padding, 2)
        both = [0, 0] * len(self.kernel_size)
        if self.padding == "same":
            for i, (d, k) in enumerate(zip(reversed(self.dilation), reversed(self.kernel_size))):
                total = d * (k - 1)
                both[2 * i : 2 * i + 2] = total // 2, total - total // 2
        return both

    def _weight_shape(self):
        first, second = self.out_channels, self.in_channels
        if self.transposed:
            first, second = second, first
        return (first, second // self.groups, *self.kernel_size)

    def reset_parameters(self):
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            fan_in, _ = init._calculate_fan_in_and_fan_out(self.weight)
            if fan_in != 0:
                bound = 1 / math.sqrt(fan_in)
                init.uniform_(self.bias, -bound, bound)

    def extra_repr(self):
        text = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        for name, usual in ("padding", 0), ("dilation", 1), ("output_padding", 0):
            value = getattr(self, name)
            if value != (usual,) * len(value):
                text += f", {name}={value}"
        if self.groups != 1:
            text += f", groups={self.groups}"
        if self.bias is None:
            text += ", bias=False"
        if self.padding_mode != "zeros":
            text += f", padding_mode={self.padding_mode}"
        return text


class _ConvTransposeNd(_ConvNd):
    """What all transposed convolutions have."""

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride,
        padding,
        dilation,
        transposed,
        output_padding,
        groups,
        bias,
        padding_mode,
        device=None,
        dtype=None,
    ):
        if padding_mode != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {self.__class__.__name__}')
        super().__init__(
            in_channels,
            out_channels,
            kernel_size,
            stride,
            padding,
            dilation,
            transposed,
            output_padding,
            groups,
            bias,
            padding_mode,
            device,
            dtype,
        )

    def _output_padding(self, input, output_size, stride, padding, kernel_size, num_spatial_dims, dilation=None):
        """The output padding with which the output gets the wanted size."""
        if output_size is None:
            return tuple(self.output_padding)
        skipped = 2 if input.dim() == num_spatial_dims + 2 else 1
        if len(output_size) == skipped + num_spatial_dims:
            output_size = output_size[skipped:]
        if len(output_size) != num_spatial_dims:
            raise ValueError(
                f"ConvTranspose{num_spatial_dims}D: for {input.dim()}D input, output_size must have "
                f"{num_spatial_dims} or {skipped + num_spatial_dims} elements (got {len(output_size)})"
            )
        least = [
            (input.size(d + skipped) - 1) * stride[d]
            - 2 * padding[d]
            + (1 if dilation is None else dilation[d]) * (kernel_size[d] - 1)
            + 1
            for d in range(num_spatial_dims)
        ]
        most = [size + stride[d] - 1 for d, size in enumerate(least)]
        if any(not low <= size <= high for low, size, high in zip(least, output_size, most)):
            raise ValueError(
                f"requested an output size of {output_size}, but valid sizes range "
                f"from {least} to {most} (for an input of {input.size()[2:]})"
            )
        return [size - low for size, low in zip(output_size, least)]


class _LazyConvXdMixin(LazyModuleMixin):
    """Convolutions that learn in_channels from their first input."""

    def reset_parameters(self):
        if not self.has_uninitialized_params() and self.in_channels != 0:
            super().reset_parameters()

    def initialize_parameters(self, input, *args, **kwargs):
        if self.has_uninitialized_params():
            self.in_channels = self._get_in_channels(input)
            if self.in_channels % self.groups != 0:
                raise ValueError("in_channels must be divisible by groups")
            self.weight.materialize(self._weight_shape())
            if self.bias is not None:
                self.bias.materialize((self.out_channels,))
            self.reset_parameters()

    def _get_in_channels(self, input):
        unbatched = self._get_num_spatial_dims() + 1
        if input.dim() not in (unbatched, unbatched + 1):
            raise RuntimeError(
                f"Expected {unbatched}D (unbatched) or {unbatched + 1}D (batched) input "
                f"to {self.__class__.__name__}, but got input of size: {input.shape}"
            )
        return input.shape[input.dim() - unbatched]

    def _get_num_spatial_dims(self):
        return len(self.kernel_size)


def _conv(n):
    """The convolution in n dimensions and the lazy one."""
    tuple_of, name = _ntuple(n), f"conv{n}d"

    class Conv(_ConvNd):
        """Cross-correlation of (N, C_in, ...) with the weight (C_out, C_in / groups, ...)."""

        def __init__(
            self,
            in_channels,
            out_channels,
            kernel_size,
            stride=1,
            padding=0,
            dilation=1,
            groups=1,
            bias=True,
            padding_mode="zeros",
            device=None,
            dtype=None,
        ):
            super().__init__(
                in_channels,
                out_channels,
                tuple_of(kernel_size),
                tuple_of(stride),
                padding if isinstance(padding, str) else tuple_of(padding),
                tuple_of(dilation),
                False,
                tuple_of(0),
                groups,
                bias,
                padding_mode,
                device,
                dtype,
            )

        def _conv_forward(self, input, weight, bias):
            padding = self.padding
            if self.padding_mode != "zeros":
                input = F.pad(input, self._reversed_padding_repeated_twice, mode=self.padding_mode)
                padding = tuple_of(0)
            return getattr(F, name)(input, weight, bias, self.stride, padding, self.dilation, self.groups)

        def forward(self, input):
            return self._conv_forward(input, self.weight, self.bias)

    class LazyConv(_LazyConvXdMixin, Conv):
        """The convolution that learns in_channels from its first input."""

        cls_to_become = Conv

        def __init__(
            self,
            out_channels,
            kernel_size,
            stride=1,
            padding=0,
            dilation=1,
            groups=1,
            bias=True,
            padding_mode="zeros",
            device=None,
            dtype=None,
        ):
            super().__init__(
                0, 0, kernel_size, stride, padding, dilation, groups, False, padding_mode, device, dtype
            )
            _start_lazily(self, out_channels, bias, device, dtype)

    publish(Conv, f"Conv{n}d")
    publish(LazyConv, f"LazyConv{n}d")


def _conv_transpose(n):
    """The transposed convolution in n dimensions and the lazy one."""
    tuple_of, name = _ntuple(n), f"conv_transpose{n}d"

    class ConvTranspose(_ConvTransposeNd):
        """The gradient of a convolution with respect to its input, as a layer."""

        def __init__(
            self,
            in_channels,
            out_channels,
            kernel_size,
            stride=1,
            padding=0,
            output_padding=0,
            groups=1,
            bias=True,
            dilation=1,
            padding_mode="zeros",
            device=None,
            dtype=None,
        ):
            super().__init__(
                in_channels,
                out_channels,
                tuple_of(kernel_size),
                tuple_of(stride),
                tuple_of(padding),
                tuple_of(dilation),
                True,
                tuple_of(output_padding),
                groups,
                bias,
                padding_mode,
                device,
                dtype,
            )

        def forward(self, input, output_size=None):
            if self.padding_mode != "zeros":
                raise ValueError(f"Only `zeros` padding mode is supported for ConvTranspose{n}d")
            assert isinstance(self.padding, tuple)
            output_padding = self._output_padding(
                input, output_size, self.stride, self.padding, self.kernel_size, n, self.dilation
            )
            return getattr(F, name)(
                input, self.weight, self.bias, self.stride, self.padding, output_padding, self.groups, self.dilation
            )

    class LazyConvTranspose(_LazyConvXdMixin, ConvTranspose):
        """The transposed convolution that learns in_channels from its first input."""

        cls_to_become = ConvTranspose

        def __init__(
            self,
            out_channels,
            kernel_size,
            stride=1,
            padding=0,
            output_padding=0,
            groups=1,
            bias=True,
            dilation=1,
            padding_mode="zeros",
            device=None,
            dtype=None,
        ):
            super().__init__(
                0,
                0,
                kernel_size,
                stride,
                padding,
                output_padding,
                groups,
                False,
                dilation,
                padding_mode,
                device,
                dtype,
            )
            _start_lazily(self, out_channels, bias, device, dtype)

    publish(ConvTranspose, f"ConvTranspose{n}d")
    publish(LazyConvTranspose, f"LazyConvTranspose{n}d")


def _start_lazily(module, out_channels, bias, device, dtype):
    module.weight = UninitializedParameter(device=device, dtype=dtype)
    module.out_channels = out_channels
    if bias:
        module.bias = UninitializedParameter(device=device, dtype=dtype)


for _n in 1, 2, 3:
    _conv(_n)
    _conv_transpose(_n)
del _n
