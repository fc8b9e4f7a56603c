"""Transforms of functions: derivatives, and mapping over a dimension."""

from torch._unsupported import unsupported

from ._derivatives import grad, grad_and_value, hessian, jacfwd, jacrev, jvp, linearize, vjp
from ._modules import functional_call, replace_all_batch_norm_modules_, stack_module_state
from ._vmap import vmap
from torch._namespace import missing

__all__ = [
    "grad",
    "grad_and_value",
    "vjp",
    "jvp",
    "jacrev",
    "jacfwd",
    "hessian",
    "linearize",
    "vmap",
    "functional_call",
    "stack_module_state",
    "functionalize",
    "replace_all_batch_norm_modules_",
]


def functionalize(func, *, remove="mutations"):
    """Unsupported: it would have to replace operators inside a function."""
    unsupported("torch.func.functionalize")


__getattr__ = missing(__name__)
