"""Dimensions merged and split."""

from torch.nn.modules._layer import layer
from torch.nn.modules.module import Module

__all__ = ["Flatten", "Unflatten"]


@layer("start_dim=1, end_dim=-1", "input.flatten(self.start_dim, self.end_dim)")
class Flatten(Module):
    """Merges the dimensions from start_dim to end_dim."""


@layer(result="input.unflatten(self.dim, self.unflattened_size)")
class Unflatten(Module):
    """Splits a dimension into several."""

    def __init__(self, dim, unflattened_size):
        super().__init__()
        if isinstance(dim, int):
            _require_ints(unflattened_size)
        elif isinstance(dim, str):
            _require_names(unflattened_size)
        else:
            raise TypeError("invalid argument type for dim parameter")
        self.dim = dim
        self.unflattened_size = unflattened_size

    def extra_repr(self):
        return f"dim={self.dim}, unflattened_size={self.unflattened_size}"


def _require_ints(size):
    if not isinstance(size, (tuple, list)):
        raise TypeError(f"unflattened_size must be a tuple of ints, but found type {type(size).__name__}")
    for at, n in enumerate(size):
        if not isinstance(n, int):
            raise TypeError(
                "unflattened_size must be tuple of ints, but found element of type "
                f"{type(n).__name__} at pos {at}"
            )


def _require_names(size):
    if not isinstance(size, tuple):
        raise TypeError(f"unflattened_size must be a tuple of tuples, but found type {type(size).__name__}")
    for at, named in enumerate(size):
        if not isinstance(named, tuple):
            raise TypeError(
                "unflattened_size must be tuple of tuples, but found element of type "
                f"{type(named).__name__} at pos {at}"
            )
