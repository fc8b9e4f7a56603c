"""The few names of PyTorch's inner module that programs use for the graph."""

from . import autograd
from ._dispatch import DisableTorchFunction, DisableTorchFunctionSubclass
from ._dispatch import disabled as _disabled_torch_function_impl
from ._engine import Tensor as TensorBase
from ._engine import call
from ._namespace import missing
from ._tensor import Tensor
from .autograd import graph
from .autograd.function import Function
from .autograd.grad_mode import _set_grad
from .linalg import LinAlgError as _LinAlgError
from .random import Generator, default_generator

_TensorMeta = type(Tensor)

__all__ = [
    "DisableTorchFunction", "DisableTorchFunctionSubclass", "_disabled_torch_function_impl", "TensorBase", "_LinAlgError",
    "Generator", "default_generator",
]  # fmt: skip

__getattr__ = missing(__name__)


def _set_grad_enabled(mode):
    _set_grad(mode)


def _get_tracing_state():
    """The state of torch.jit.trace, which is never at work: None."""


def _log_api_usage_once(event):
    """Counts what programs use, for PyTorch's developers."""


def _current_graph_task_id():
    """The number of the backward pass that runs, or -1."""
    return call("autograd.current_pass", ())


def _current_autograd_node():
    """The node that runs."""
    return call("autograd.current_node", ())


def _will_engine_execute_node(node):
    """Whether the backward pass that runs executes a node."""
    if _current_graph_task_id() == -1:
        raise RuntimeError("_get_should_execute_nodes should only be called during the backward pass")
    return call("autograd.count_running", ([node],)) > 0


def _is_multithreading_enabled():
    return autograd.grad_mode.set_multithreading_enabled.current


class _nn:
    """Functions of modules."""

    @staticmethod
    def _parse_to(*args, **kwargs):
        """The device, the dtype, non_blocking and the memory format that arguments of to() name."""
        from .nn.modules._convert import _parse_to

        return _parse_to(*args, **kwargs)


class _functions:
    """Functions of the engine."""

    class DelayedError:
        """The identity, with an error for a derivative."""

        def __init__(self, message, num_inputs):
            self.message = message.decode() if isinstance(message, bytes) else message

        def __call__(self, *args):
            outputs = call("autograd.delayed_error", (self.message,) + args)
            return outputs if len(outputs) > 1 else outputs[0]

    class UndefinedGrad:
        """The identity, with undefined gradients."""

        def __call__(self, x):
            return _Undefined.apply(x)


class _Undefined(Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, grad):
        return None


class _autograd:
    """Hooks on saved tensors."""

    SavedTensor = autograd._node.SavedTensor
    _push_saved_tensors_default_hooks = staticmethod(graph._push_hooks)

    @staticmethod
    def _pop_saved_tensors_default_hooks():
        call("autograd.pop_saved_hooks", ())

    @staticmethod
    def _saved_tensors_hooks_is_enabled():
        return call("autograd.saved_hooks_disabled", ()) is None

    @staticmethod
    def _saved_tensors_hooks_get_disabled_error_message():
        return call("autograd.saved_hooks_disabled", ())

    @staticmethod
    def _saved_tensors_hooks_disable(message):
        call("autograd.disable_saved_hooks", (message,))

    @staticmethod
    def _saved_tensors_hooks_enable():
        call("autograd.disable_saved_hooks", (None,))

    @staticmethod
    def _unsafe_set_version_counter(tensor, version):
        call("autograd.set_version", (tensor, version))
