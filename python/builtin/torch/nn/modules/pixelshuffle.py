"""Channels as pixels, and back."""

import torch.nn.functional as F  # noqa: F401  (the forward methods name it)
from torch.nn.modules._layer import layer
from torch.nn.modules.module import Module

__all__ = ["PixelShuffle", "PixelUnshuffle"]


@layer("upscale_factor", "F.pixel_shuffle(input, self.upscale_factor)")
class PixelShuffle(Module):
    """(*, C r², H, W) as (*, C, H r, W r)."""


@layer("downscale_factor", "F.pixel_unshuffle(input, self.downscale_factor)")
class PixelUnshuffle(Module):
    """(*, C, H r, W r) as (*, C r², H, W)."""
