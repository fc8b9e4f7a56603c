"""The parts of DataLoader."""

from . import collate, worker
