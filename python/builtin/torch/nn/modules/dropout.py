"""Layers that drop elements or channels while training."""

import torch.nn.functional as F  # noqa: F401  (the forward methods name it)
from torch.nn.modules._layer import layer
from torch.nn.modules.module import Module

__all__ = ["Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "AlphaDropout", "FeatureAlphaDropout"]


class _DropoutNd(Module):
    """What all dropout layers have: the probability, and whether they work in place."""

    def __init__(self, p=0.5, inplace=False):
        super().__init__()
        if p < 0 or p > 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p = p
        self.inplace = inplace

    def extra_repr(self):
        return f"p={self.p}, inplace={self.inplace}"


@layer(result="F.dropout(input, self.p, self.training, self.inplace)")
class Dropout(_DropoutNd):
    """Zeroes elements with probability p and scales up the others."""


@layer(result="F.dropout1d(input, self.p, self.training, self.inplace)")
class Dropout1d(_DropoutNd):
    """Zeroes channels of (N, C, L) or (C, L)."""


@layer(result="F.dropout2d(input, self.p, self.training, self.inplace)")
class Dropout2d(_DropoutNd):
    """Zeroes channels of (N, C, H, W)."""


@layer(result="F.dropout3d(input, self.p, self.training, self.inplace)")
class Dropout3d(_DropoutNd):
    """Zeroes channels of (N, C, D, H, W)."""


@layer(result="F.alpha_dropout(input, self.p, self.training)")
class AlphaDropout(_DropoutNd):
    """Dropout that keeps mean and variance of what SELU gives."""


@layer(result="F.feature_alpha_dropout(input, self.p, self.training)")
class FeatureAlphaDropout(_DropoutNd):
    """Alpha dropout of whole channels."""
