"""Shuffled channels."""

import torch.nn.functional as F  # noqa: F401  (the forward method names it)
from torch.nn.modules._layer import layer
from torch.nn.modules.module import Module

__all__ = ["ChannelShuffle"]


@layer("groups", "F.channel_shuffle(input, self.groups)")
class ChannelShuffle(Module):
    """Takes the channels of all groups in turn."""
