"""Optimizers: objects that change parameters by their gradients."""

import sys
import types

from . import lr_scheduler, swa_utils
from .._namespace import missing
from ._adam import Adafactor, Adam, Adamax, AdamW, NAdam, RAdam
from ._momentum import ASGD, SGD, Adadelta, Adagrad, RMSprop, Rprop
from ._muon import Muon
from ._sparse import SparseAdam
from .lbfgs import LBFGS
from .optimizer import Optimizer

__all__ = [
    "Adafactor",
    "Adadelta",
    "Adagrad",
    "Adam",
    "Adamax",
    "AdamW",
    "ASGD",
    "LBFGS",
    "lr_scheduler",
    "Muon",
    "NAdam",
    "Optimizer",
    "RAdam",
    "RMSprop",
    "Rprop",
    "SGD",
    "SparseAdam",
    "swa_utils",
]


def _place(cls, name):
    """Lets cls be found in a module of its own, as "from torch.optim.sgd import SGD" expects."""
    full = __name__ + "." + name
    module = sys.modules[full] = types.ModuleType(full, cls.__doc__)
    module.__all__ = [cls.__name__]
    setattr(module, cls.__name__, cls)
    cls.__module__ = full


for _cls in (Adadelta, Adagrad, Adam, Adamax, AdamW, ASGD, NAdam, RAdam, RMSprop, Rprop, SGD):
    _place(_cls, _cls.__name__.lower())
_place(SparseAdam, "sparse_adam")
_place(Adafactor, "_adafactor")
Adafactor.__module__ = Muon.__module__ = __name__


__getattr__ = missing(__name__)
