"""Limiting the size of gradients."""

import warnings

import torch
from gradtui._agent.notes import handle, note


def _listed(tensors):
    return [tensors] if isinstance(tensors, torch.Tensor) else list(tensors)


def _noted(function, parameters):
    """The parameters as a list; the tape hears of the call."""
    parameters = _listed(parameters)
    note("called", function, [handle(p) for p in parameters])
    return parameters


def _grads(parameters):
    return [p.grad for p in _listed(parameters) if p.grad is not None]


def _by_dtype(tensors):
    """The tensors, one dtype after the other."""
    groups = {}
    for tensor in tensors:
        groups.setdefault(tensor.dtype, []).append(tensor)
    return [tensor for group in groups.values() for tensor in group]


@torch.no_grad()
def get_total_norm(tensors, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """The norm of all elements of all tensors."""
    tensors = _listed(tensors)
    norm_type = float(norm_type)
    if not tensors:
        return torch.tensor(0.0)
    norms = [torch.linalg.vector_norm(t, norm_type) for t in _by_dtype(tensors)]
    total = torch.linalg.vector_norm(torch.stack(norms), norm_type)
    if error_if_nonfinite and torch.logical_or(total.isnan(), total.isinf()):
        raise RuntimeError(
            f"The total norm of order {norm_type} for gradients from "
            "`parameters` is non-finite, so it cannot be clipped. To disable "
            "this error and scale the gradients by the non-finite norm anyway, "
            "set `error_if_nonfinite=False`"
        )
    return total


@torch.no_grad()
def clip_grads_with_norm_(parameters, max_norm, total_norm, foreach=None):
    """Scales the gradients, whose norm is total_norm, so that it is at most max_norm."""
    grads = _grads(parameters)
    max_norm = float(max_norm)
    if not grads:
        return
    scale = torch.clamp(max_norm / (total_norm + 1e-6), max=1.0)
    for grad in _by_dtype(grads):
        grad.mul_(scale)


@torch.no_grad()
def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """Scales the gradients so that their norm is at most max_norm; returns what it was."""
    parameters = _noted("clip_grad_norm_", parameters)
    total = get_total_norm(_grads(parameters), norm_type, error_if_nonfinite, foreach)
    clip_grads_with_norm_(parameters, max_norm, total, foreach)
    return total


def clip_grad_norm(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """The old name of clip_grad_norm_."""
    warnings.warn(
        "`torch.nn.utils.clip_grad_norm` is now deprecated "
        "in favor of `torch.nn.utils.clip_grad_norm_`.",
        FutureWarning,
        stacklevel=2,
    )
    return clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite, foreach)


@torch.no_grad()
def clip_grad_value_(parameters, clip_value, foreach=None):
    """Limits each element of the gradients to -clip_value … clip_value."""
    clip_value = float(clip_value)
    for grad in _grads(_noted("clip_grad_value_", parameters)):
        grad.clamp_(min=-clip_value, max=clip_value)
