"""What nodes of the graph can do in Python, and hooks."""

import collections

import torch
from gradtui._agent.notes import handle, note, raised
from gradtui._agent.unseen import unseen
from torch import _engine, _values
from torch._engine import call

from ..utils.hooks import RemovableHandle


class _Hooks(collections.OrderedDict):
    """The hooks of a tensor or node by the id of their handle; taking one out makes the engine forget it."""

    def __init__(self):
        super().__init__()
        self.registered = {}

    def add(self, hook, register):
        """Registers a hook with the engine and returns its handle."""
        handle = RemovableHandle(self)

        def run(*args, table=self):  # keeps the table as long as the hook
            return hook(*args)

        run.__name__ = getattr(hook, "__name__", None) or type(hook).__name__
        self.registered[handle.id] = register(unseen(run))
        self[handle.id] = hook
        return handle

    def __delitem__(self, key):
        super().__delitem__(key)
        self.registered.pop(key).remove()

    def pop(self, key, default=None):
        hook = self.get(key, default)
        if key in self:
            del self[key]
        return hook

    def clear(self):
        for key in list(self):
            del self[key]


class _InputMetadata:
    """The shape and the dtype that gradients for a result of a node's forward op have."""

    def __init__(self, shape, dtype):
        self.shape, self.dtype, self.device = list(shape), dtype, torch.device("cpu")
        self.is_nested_tensor = self.is_cpp_nested_tensor = False


_InputMetadata.__module__ = "torch._C._autograd"


class SavedTensor(_values.Held):
    """A slot of a node."""

    __slots__ = ()
    __module__ = "torch._C._autograd"

    def __init__(self):
        raise RuntimeError("Trying to create a SavedTensor object from Python is forbidden.")

    def register_hooks(self, *hooks):
        """Lets two functions keep the tensor of the slot: one packs it, one unpacks it."""
        if len(hooks) != 2 or not all(callable(h) for h in hooks):
            raise TypeError(
                "register_hooks(): incompatible function arguments. The following argument types are supported:\n"
                "    1. (self: torch._C._autograd.SavedTensor, arg0: Callable, arg1: Callable) -> None\n\n"
                "Invoked with: " + ", ".join(map(repr, (self,) + hooks))
            )
        call("autograd.raw_saved.register_hooks", (self._n,) + hooks)


_values.revivers[b"v"] = lambda n: _values.held(n, SavedTensor)


class NodeMethods:
    """What all nodes have."""

    __slots__ = ()

    def name(self):
        return call("autograd.node.name", (self,))

    @property
    def next_functions(self):
        return call("get.next_functions", (self,))

    @property
    def metadata(self):
        return call("autograd.node.metadata", (self, {}))

    def _sequence_nr(self):
        return call("autograd.node.sequence", (self,))

    def _set_sequence_nr(self, number):
        raise RuntimeError("gradtui's built-in engine numbers nodes itself")

    @property
    def _input_metadata(self):
        return tuple(_InputMetadata(*o) for o in call("autograd.node.outputs", (self,)))

    def register_hook(self, fn):
        """Calls fn(grad_inputs, grad_outputs) after the node ran."""
        return _Hooks().add(fn, lambda run: call("autograd.node.register_hook", (self, run)))

    def register_prehook(self, fn):
        """Calls fn(grad_outputs) before the node runs."""
        return _Hooks().add(fn, lambda run: call("autograd.node.register_prehook", (self, run)))

    def _register_hook_dict(self, tensor):
        raise TypeError("_register_hook_dict(): argument must be a tensor with hooks")


# What dir() does not show.
_OWN = {"_n", "__del__", "__getattr__", "__module__", "__slots__", "__weakref__"}


class _OperatorNode(NodeMethods):
    """What only nodes of operators have."""

    __slots__ = ()

    def __call__(self, *grads):
        result = call("autograd.node.evaluate", (self,) + grads)
        return result[0] if len(result) == 1 else tuple(result)

    def __dir__(self):
        return sorted(set(object.__dir__(self)) - _OWN | set(call("autograd.node.attributes", (self,))))

    @property
    def requires_grad(self):
        return True


def _graft(cls, *sources):
    """Gives a class what other classes have."""
    for source in sources:
        for name, value in vars(source).items():
            if name not in ("__slots__", "__module__", "__doc__", "__dict__", "__weakref__", "__qualname__"):
                if hasattr(value, "__code__"):
                    value.__qualname__ = f"{cls.__name__}.{name}"
                setattr(cls, name, value)


_graft(_values.Node, NodeMethods, _OperatorNode)


class _TensorMethods:
    """The part of tensors that belongs to the graph."""

    def register_hook(self, hook):
        """Calls hook(grad) when the gradient of the tensor is known; what it returns takes its place."""
        if not self.requires_grad:
            raise raised(RuntimeError("cannot register a hook on a tensor that doesn't require gradient"), self)
        note("hook", "tensor", "register_hook", "", handle(self))
        return _hooks_of(self, "_backward_hooks").add(hook, lambda run: _register_hook(self, run))

    def register_post_accumulate_grad_hook(self, hook):
        """Calls hook(tensor) after a gradient was added to the grad of a leaf."""
        if not self.requires_grad:
            raise raised(RuntimeError("cannot register a hook on a tensor that doesn't require gradient"), self)
        if self.grad_fn is not None:
            raise raised(RuntimeError("post accumulate grad hooks cannot be registered on non-leaf tensors"), self)
        note("hook", "post_accumulate", "register_post_accumulate_grad_hook", "", handle(self))
        return _hooks_of(self, "_post_accumulate_grad_hooks").add(hook, lambda run: _register_post_hook(self, run))

    _backward_hooks = None
    _post_accumulate_grad_hooks = None


def _hooks_of(tensor, name):
    hooks = getattr(tensor, name)
    if hooks is None:
        hooks = _Hooks()
        setattr(tensor, name, hooks)
    return hooks


_register_hook = _engine.function("Tensor.register_hook")
_register_post_hook = _engine.function("Tensor.register_post_accumulate_grad_hook")
_graft(torch.Tensor, _TensorMethods)


def _delete_grad(tensor):
    tensor.grad = None


torch.Tensor.grad = torch.Tensor.grad.deleter(_delete_grad)
