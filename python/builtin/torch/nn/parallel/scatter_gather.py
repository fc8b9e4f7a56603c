"""Tensors on several devices, which there are not."""

from torch._namespace import placeholder

__all__ = ["scatter", "scatter_kwargs", "gather"]

globals().update((name, placeholder(__name__ + "." + name)) for name in __all__)
