"""Functions that PyTorch writes in Python."""

import torch

from ._public_others import NAMES

for _name in NAMES[__name__].split():
    if hasattr(torch, _name):
        globals()[_name] = getattr(torch, _name)
