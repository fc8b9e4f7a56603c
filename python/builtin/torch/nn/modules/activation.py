"""Activations."""

import warnings

import torch
import torch.nn.functional as F
from torch.nn import init
from torch.nn.modules._layer import layer
from torch.nn.modules.attention import MultiheadAttention
from torch.nn.modules.module import Module
from torch.nn.parameter import Parameter

__all__ = """
    Threshold ReLU RReLU Hardtanh ReLU6 Sigmoid Hardsigmoid Tanh SiLU Mish Hardswish ELU CELU SELU GLU GELU
    Hardshrink LeakyReLU LogSigmoid Softplus Softshrink MultiheadAttention PReLU Softsign Tanhshrink Softmin
    Softmax Softmax2d LogSoftmax
""".split()

MultiheadAttention.__module__ = __name__


@layer("threshold, value, inplace=False", "F.threshold(input, self.threshold, self.value, self.inplace)")
class Threshold(Module):
    """The input where it is above the threshold, value elsewhere."""


@layer("inplace=False", "F.relu(input, inplace=self.inplace)")
class ReLU(Module):
    """max(0, x)."""


@layer(
    "lower=1.0 / 8, upper=1.0 / 3, inplace=False",
    "F.rrelu(input, self.lower, self.upper, self.training, self.inplace)",
)
class RReLU(Module):
    """LeakyReLU with a random slope for each element while training, the middle one else."""


@layer(result="F.hardtanh(input, self.min_val, self.max_val, self.inplace)")
class Hardtanh(Module):
    """The input, clamped to min_val ... max_val."""

    def __init__(self, min_val=-1.0, max_val=1.0, inplace=False, min_value=None, max_value=None):
        super().__init__()
        for old, value in ("min_value", min_value), ("max_value", max_value):
            if value is not None:
                warnings.warn(
                    f"keyword argument `{old}` is deprecated and rename to `{old[:-2]}`", FutureWarning, stacklevel=2
                )
        self.min_val = min_val if min_value is None else min_value
        self.max_val = max_val if max_value is None else max_value
        self.inplace = inplace
        assert self.max_val > self.min_val

    def extra_repr(self):
        return f"min_val={self.min_val}, max_val={self.max_val}" + (", inplace=True" if self.inplace else "")


class ReLU6(Hardtanh):
    """The input, clamped to 0 ... 6."""

    def __init__(self, inplace=False):
        super().__init__(0.0, 6.0, inplace)

    def extra_repr(self):
        return "inplace=True" if self.inplace else ""


@layer(result="torch.sigmoid(input)")
class Sigmoid(Module):
    """1 / (1 + exp(-x))."""


@layer("inplace=False", "F.hardsigmoid(input, self.inplace)", shown="")
class Hardsigmoid(Module):
    """relu6(x + 3) / 6."""


@layer(result="torch.tanh(input)")
class Tanh(Module):
    """The hyperbolic tangent."""


@layer("inplace=False", "F.silu(input, inplace=self.inplace)")
class SiLU(Module):
    """x * sigmoid(x)."""


@layer("inplace=False", "F.mish(input, inplace=self.inplace)")
class Mish(Module):
    """x * tanh(softplus(x))."""


@layer("inplace=False", "F.hardswish(input, self.inplace)", shown="")
class Hardswish(Module):
    """x * relu6(x + 3) / 6."""


@layer("alpha=1.0, inplace=False", "F.elu(input, self.alpha, self.inplace)")
class ELU(Module):
    """x where positive, alpha * (exp(x) - 1) elsewhere."""


@layer("alpha=1.0, inplace=False", "F.celu(input, self.alpha, self.inplace)")
class CELU(Module):
    """max(0, x) + min(0, alpha * (exp(x / alpha) - 1))."""


@layer("inplace=False", "F.selu(input, self.inplace)")
class SELU(Module):
    """The self-normalizing exponential linear unit."""


@layer("dim=-1", "F.glu(input, self.dim)")
class GLU(Module):
    """The first half along dim times the sigmoid of the second half."""


@layer("approximate='none'", "F.gelu(input, approximate=self.approximate)")
class GELU(Module):
    """x times the normal distribution function of x."""

    def extra_repr(self):
        return f"approximate={self.approximate!r}"


@layer("lambd=0.5", "F.hardshrink(input, self.lambd)")
class Hardshrink(Module):
    """x where |x| > lambd, 0 elsewhere."""

    def extra_repr(self):
        return f"{self.lambd}"


@layer("negative_slope=1e-2, inplace=False", "F.leaky_relu(input, self.negative_slope, self.inplace)")
class LeakyReLU(Module):
    """x where positive, negative_slope * x elsewhere."""


@layer(result="F.logsigmoid(input)")
class LogSigmoid(Module):
    """log(sigmoid(x))."""


@layer("beta=1.0, threshold=20.0", "F.softplus(input, self.beta, self.threshold)")
class Softplus(Module):
    """log(1 + exp(beta * x)) / beta; x itself where beta * x is above the threshold."""


@layer("lambd=0.5", "F.softshrink(input, self.lambd)")
class Softshrink(Module):
    """x moved towards 0 by lambd."""

    def extra_repr(self):
        return f"{self.lambd}"


class PReLU(Module):
    """LeakyReLU with slopes that are learned."""

    def __init__(self, num_parameters=1, init=0.25, device=None, dtype=None):
        super().__init__()
        self.num_parameters = num_parameters
        self.init = init
        self.weight = Parameter(torch.empty(num_parameters, device=device, dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self):
        init.constant_(self.weight, self.init)

    def forward(self, input):
        return F.prelu(input, self.weight)

    def extra_repr(self):
        return f"num_parameters={self.num_parameters}"


@layer(result="F.softsign(input)")
class Softsign(Module):
    """x / (1 + |x|)."""


@layer(result="F.tanhshrink(input)")
class Tanhshrink(Module):
    """x - tanh(x)."""


@layer("dim=None", "F.softmin(input, self.dim, _stacklevel=3)")
class Softmin(Module):
    """softmax(-x)."""


@layer("dim=None", "F.softmax(input, self.dim, _stacklevel=3)")
class Softmax(Module):
    """exp(x), divided by its sum along dim."""


class Softmax2d(Module):
    """Softmax over the channels of (N, C, H, W) or (C, H, W)."""

    def forward(self, input):
        if input.dim() not in (3, 4):
            raise ValueError(f"Softmax2d: expected input to be 3D or 4D, got {input.dim()}D instead")
        return F.softmax(input, -3, _stacklevel=3)


@layer("dim=None", "F.log_softmax(input, self.dim, _stacklevel=3)")
class LogSoftmax(Module):
    """log(softmax(x))."""
