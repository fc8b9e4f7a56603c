"""The old name of Tensor."""

import torch
from gradtui._agent.imports import standard

__all__ = ["VariableMeta", "Variable"]


class VariableMeta(type):
    def __instancecheck__(cls, other):
        return isinstance(other, torch.Tensor)

    def __call__(cls, data=None, requires_grad=False, volatile=False):
        if volatile:
            standard("warnings").warn(
                "volatile was removed and now has no effect. Use `with torch.no_grad():` instead.", stacklevel=2
            )
            if requires_grad:
                raise ValueError("Variable can't be volatile and require_grad at the same time!")
        if data is None:
            return torch.tensor([]).requires_grad_(requires_grad)
        if not isinstance(data, torch.Tensor):
            raise TypeError(f"Variable data has to be a tensor, but got {type(data).__name__}")
        return data.detach().requires_grad_(requires_grad)


class Variable(metaclass=VariableMeta):
    """Calling it detaches a tensor; every tensor is an instance."""
