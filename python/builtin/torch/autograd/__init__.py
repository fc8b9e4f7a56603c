"""Automatic differentiation."""

import warnings
from contextlib import contextmanager
from operator import index

import torch
from gradtui._agent import names
from torch._engine import call, modes, number
from torch._kept import look_again as _look_again
from torch._namespace import missing

from . import _node, forward_ad, functional, graph, profiler
from .anomaly_mode import detect_anomaly, set_detect_anomaly
from .function import Function, NestedIOFunction
from .graph import _engine_run_backward
from .grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled, set_multithreading_enabled
from .gradcheck import gradcheck, gradgradcheck
from .variable import Variable

SavedTensor = _node.SavedTensor

__all__ = [
    "Variable",
    "Function",
    "backward",
    "grad_mode",
    "NestedIOFunction",
    "detect_anomaly",
    "enable_grad",
    "grad",
    "gradcheck",
    "gradgradcheck",
    "inference_mode",
    "no_grad",
    "set_detect_anomaly",
    "set_grad_enabled",
    "set_multithreading_enabled",
    "variable",
]

_OF_ONE, _BACKWARD, _GRAD = number("tensor.backward"), number("autograd.backward"), number("autograd.grad")
_one = (torch.Tensor, graph.GradientEdge)
_kept = 0  # how many blocks there are around in which graphs are kept


@contextmanager
def keeping_graphs():
    """A block in which grad() frees no graph: what PyTorch runs once for all samples runs again."""
    global _kept
    _kept += 1
    try:
        yield
    finally:
        _kept -= 1


def is_tensor_like(value):
    """Whether a value is a tensor."""
    return isinstance(value, torch.Tensor)


def _gradients(grads, outputs):
    """The gradients to begin with; those that are too many do not count."""
    if grads is None:
        return None
    return (grads,) if isinstance(grads, torch.Tensor) else tuple(grads)[: len(outputs)]


def backward(
    tensors, grad_tensors=None, retain_graph=None, create_graph=False, grad_variables=None, inputs=None
):
    """Adds the gradients of the leaves that tensors depend on to their grad."""
    if (
        tensors.__class__ is torch.Tensor and not modes and create_graph is False
        and grad_tensors is retain_graph is grad_variables is inputs is None
    ):
        _engine_run_backward(_OF_ONE, tensors)  # the same in fewer steps
        _look_again()
        return
    if grad_variables is not None:
        warnings.warn(
            "`grad_variables` is deprecated. Use `grad_tensors` instead.", FutureWarning, stacklevel=2
        )
        if grad_tensors is not None:
            raise RuntimeError(
                "`grad_tensors` and `grad_variables` (deprecated) arguments both passed to `backward()`. "
                "Please only use `grad_tensors`."
            )
        grad_tensors = grad_variables
    if inputs is not None:
        if len(inputs) == 0:
            raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
        inputs = (inputs,) if isinstance(inputs, _one) else tuple(inputs)
    tensors = (tensors,) if isinstance(tensors, torch.Tensor) else tuple(tensors)
    if retain_graph is None:
        retain_graph = create_graph
    grads = _gradients(grad_tensors, tensors)
    _engine_run_backward(_BACKWARD, tensors, grads, index(retain_graph) != 0, index(create_graph) != 0, inputs)
    _look_again()


def grad(
    outputs,
    inputs,
    grad_outputs=None,
    retain_graph=None,
    create_graph=False,
    only_inputs=True,
    allow_unused=None,
    is_grads_batched=False,
    materialize_grads=False,
):
    """The gradients of the sum of outputs with respect to inputs."""
    if materialize_grads and allow_unused is False:
        raise ValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True, "
            "but got: allow_unused=False."
        )
    if allow_unused is None:
        allow_unused = materialize_grads
    outputs = (outputs,) if isinstance(outputs, _one) else tuple(outputs)
    inputs = (inputs,) if isinstance(inputs, _one) else tuple(inputs)
    if not only_inputs:
        warnings.warn(
            "only_inputs argument is deprecated and is ignored now "
            "(defaults to True). To accumulate gradient for other "
            "parts of the graph, please use torch.autograd.backward.",
            FutureWarning,
            stacklevel=2,
        )
    if retain_graph is None:
        retain_graph = create_graph
    retain_graph = retain_graph or _kept > 0
    grads = _gradients(grad_outputs, outputs)
    if is_grads_batched:
        return _batched(outputs, inputs, grads, retain_graph, create_graph, allow_unused, materialize_grads)
    gradients = tuple(
        _engine_run_backward(
            _GRAD,
            outputs,
            inputs,
            grads,
            index(retain_graph) != 0,
            index(create_graph) != 0,
            bool(allow_unused),
            bool(materialize_grads),
        )
    )
    names.result(gradients)
    _look_again()
    return gradients


def _batched(outputs, inputs, grads, retain_graph, create_graph, allow_unused, materialize_grads):
    """The gradients for each of a batch of gradients to begin with, stacked."""
    if grads is None:
        grads = (None,) * len(outputs)
    for i, (out, g) in enumerate(zip(outputs, grads)):
        if isinstance(out, graph.GradientEdge):
            raise RuntimeError("Batched grads are not supported with GradientEdge")
        if isinstance(g, torch.Tensor) and g.shape[1:] != out.shape:
            raise RuntimeError(
                "If `is_grads_batched=True`, we interpret the first "
                "dimension of each grad_output as the batch dimension. "
                "The sizes of the remaining dimensions are expected to match "
                "the shape of corresponding output, but a mismatch "
                f"was detected: grad_output[{i}] has a shape of {g.shape[2:]}"
                f" and output[{i}] has a shape of {out.shape}. "
                "If you only want some tensors in `grad_output` to be considered "
                "batched, consider using vmap."
            )
    sizes = [len(g) for g in grads if g is not None]
    if not sizes:
        raise ValueError("vmap: Expected at least one Tensor to vmap over")
    rows = []
    for i in range(sizes[0]):
        start = tuple(None if g is None else g[i] for g in grads)
        keep = retain_graph or i < sizes[0] - 1
        rows.append(grad(outputs, inputs, start, keep, create_graph, allow_unused=allow_unused))
    return tuple(
        (torch.zeros_like(x, requires_grad=True) if materialize_grads else None) if c[0] is None else torch.stack(c)
        for c, x in zip(zip(*rows), inputs)
    )


def _is_checkpoint_valid():
    return call("autograd.reentrable", ())


def variable(*args, **kwargs):
    raise RuntimeError("torch.autograd.variable(...) is deprecated, use torch.tensor(...) instead")


variable.Variable = Variable


__getattr__ = missing(__name__)
