"""Sliding blocks of images as columns, and back."""

import torch.nn.functional as F  # noqa: F401  (the forward methods name it)
from torch.nn.modules._layer import layer
from torch.nn.modules.module import Module

__all__ = ["Fold", "Unfold"]


@layer(
    "output_size, kernel_size, dilation=1, padding=0, stride=1",
    "F.fold(input, self.output_size, self.kernel_size, self.dilation, self.padding, self.stride)",
)
class Fold(Module):
    """Images from the sums of columns of sliding blocks."""


@layer(
    "kernel_size, dilation=1, padding=0, stride=1",
    "F.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)",
)
class Unfold(Module):
    """The sliding blocks of a batch of images, as columns."""
