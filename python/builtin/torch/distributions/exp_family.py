"""The module in which programs look for ExponentialFamily."""

from .distribution import ExponentialFamily

__all__ = ["ExponentialFamily"]
