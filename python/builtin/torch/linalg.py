"""Linear algebra."""

from . import _engine
from ._composed import cond, tensorinv, tensorsolve, vander
from ._namespace import fill, missing

__all__ = ["LinAlgError", "cond", "tensorinv", "tensorsolve", "vander"]


class LinAlgError(RuntimeError):
    """A matrix is not as the function needs it, or an algorithm does not converge."""


LinAlgError.__module__, LinAlgError.__name__, LinAlgError.__qualname__ = "torch._C", "_LinAlgError", "_LinAlgError"
_engine.errors["_LinAlgError"] = LinAlgError

fill(__name__)
matmul = _engine.function("torch.matmul")
__getattr__ = missing(__name__)
