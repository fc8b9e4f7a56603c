"""The writers under their older name."""

from . import FileWriter, SummaryWriter

__all__ = ["FileWriter", "SummaryWriter"]
