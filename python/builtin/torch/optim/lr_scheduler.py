"""Schedules of the learning rate: objects whose step() changes the settings of an optimizer."""

from torch._namespace import missing

from ._schedule import EPOCH_DEPRECATION_WARNING, LRScheduler  # noqa: F401
from ._schedule_combined import ChainedScheduler, SequentialLR
from ._schedule_cycles import CyclicLR, OneCycleLR
from ._schedule_epochs import (
    ConstantLR,
    CosineAnnealingLR,
    CosineAnnealingWarmRestarts,
    ExponentialLR,
    LambdaLR,
    LinearLR,
    MultiplicativeLR,
    MultiStepLR,
    PolynomialLR,
    StepLR,
)
from ._schedule_plateau import ReduceLROnPlateau

__all__ = [
    "LambdaLR",
    "MultiplicativeLR",
    "StepLR",
    "MultiStepLR",
    "ConstantLR",
    "LinearLR",
    "ExponentialLR",
    "SequentialLR",
    "CosineAnnealingLR",
    "ChainedScheduler",
    "ReduceLROnPlateau",
    "CyclicLR",
    "CosineAnnealingWarmRestarts",
    "OneCycleLR",
    "PolynomialLR",
    "LRScheduler",
]


class _LRScheduler(LRScheduler):
    """The name of LRScheduler in older versions."""


for _name in __all__:
    globals()[_name].__module__ = __name__


__getattr__ = missing(__name__)
