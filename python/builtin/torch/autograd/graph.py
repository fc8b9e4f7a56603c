"""The graph of a computation: nodes, edges, hooks on several tensors and on saved tensors."""

import abc
import collections
import contextlib
import functools
import weakref

import torch
from gradtui._agent import holders
from torch._engine import Open, call, foreseen
from torch._namespace import missing
from torch.utils.hooks import RemovableHandle

__all__ = [
    "saved_tensors_hooks",
    "save_on_cpu",
    "disable_saved_tensors_hooks",
    "register_multi_grad_hook",
    "allow_mutation_on_saved_tensors",
    "Node",
    "GradientEdge",
    "get_gradient_edge",
    "increment_version",
]


class Node(abc.ABC):
    """What every grad_fn is an instance of."""

    @abc.abstractmethod
    def name(self):
        """The name of the node."""
        raise NotImplementedError

    @property
    @abc.abstractmethod
    def next_functions(self):
        """The nodes that receive the gradients of this one, with the number of the input there."""
        raise NotImplementedError

    @abc.abstractmethod
    def metadata(self):
        """A dict that lives as long as the node."""
        raise NotImplementedError

    @property
    @abc.abstractmethod
    def _input_metadata(self):
        raise NotImplementedError

    @abc.abstractmethod
    def _register_hook_dict(self, tensor):
        raise NotImplementedError

    @abc.abstractmethod
    def register_hook(self, fn):
        """Calls fn with the outgoing and the incoming gradients after the node ran."""
        raise NotImplementedError

    @abc.abstractmethod
    def register_prehook(self, fn):
        """Calls fn with the incoming gradients before the node runs."""
        raise NotImplementedError

    @classmethod
    def __subclasshook__(cls, subclass):
        if cls is Node and issubclass(subclass, (torch._values.Node, torch.autograd.function.BackwardCFunction)):
            return True
        return NotImplemented


GradientEdge = collections.namedtuple("GradientEdge", ["node", "output_nr"])
GradientEdge.__doc__ = "Where the gradient of a tensor goes in the graph."


def _get_grad_fn_or_grad_acc(t):
    if isinstance(t, GradientEdge):
        return t.node
    node = call("autograd.accumulator", (t,)) if t.requires_grad and t.grad_fn is None else t.grad_fn
    assert node is not None
    return node


def get_gradient_edge(tensor):
    """The edge to which the gradient of a tensor goes."""
    if not tensor.requires_grad:
        raise RuntimeError("It is not possible to get the gradient edge for a Tensor that does not require gradients")
    return GradientEdge(_get_grad_fn_or_grad_acc(tensor), tensor.output_nr)


def _engine_run_backward(function, *args):
    """Lets the engine run a backward pass, by the number of its function. It is called by a function of ours."""
    holders.backward()
    t = foreseen(function, args, None, 3)
    return t[0](*t[1]) if t.__class__ is Open else t


def increment_version(tensor):
    """Says that tensors were changed in place behind the engine's back."""
    if isinstance(tensor, torch.Tensor):
        tensor = (tensor,)
    for t in tensor:
        call("autograd.increment_version", (t,))


class saved_tensors_hooks:
    """Inside the block, tensors that are saved for backward go through pack_hook, and back through unpack_hook."""

    def __init__(self, pack_hook, unpack_hook):
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook

    def __enter__(self):
        _push_hooks(self.pack_hook, self.unpack_hook)

    def __exit__(self, *args):
        call("autograd.pop_saved_hooks", ())


def _push_hooks(pack_hook, unpack_hook):
    call("autograd.push_saved_hooks", (pack_hook, unpack_hook))


class save_on_cpu(saved_tensors_hooks):
    """Keeps saved tensors in the memory of the CPU, where they are already."""

    def __init__(self, pin_memory=False, device_type="cuda"):
        super().__init__(lambda t: t.clone() if pin_memory else t, lambda t: t)


@contextlib.contextmanager
def disable_saved_tensors_hooks(error_message):
    """Inside the block, using hooks on saved tensors raises an error with the message."""
    before = call("autograd.saved_hooks_disabled", ())
    try:
        call("autograd.disable_saved_hooks", (error_message,))
        yield
    finally:
        call("autograd.disable_saved_hooks", (before,))


class _MultiHandle(RemovableHandle):
    """Removes several hooks."""

    def __init__(self, handles):
        self.handles = handles

    def remove(self):
        for handle in self.handles:
            handle.remove()

    def __getstate__(self):
        return self.handles

    def __setstate__(self, state):
        self.handles = state


def _current_pass():
    number = call("autograd.current_pass", ())
    assert number != -1, "expected this hook to be called inside a backward call"
    return number


def register_multi_grad_hook(tensors, fn, *, mode="all"):
    """Calls fn once in a backward pass: with all gradients of the tensors, or with the first of them."""
    modes = ("all", "any")
    if mode not in modes:
        raise ValueError(f"Expects mode to be one of {modes} but got {mode}")
    if mode == "any":
        return _MultiHandle(_any_hook(tensors, fn))
    return _MultiHandle(_all_hook(tensors, fn))


def _any_hook(tensors, fn):
    ran = set()

    @functools.wraps(fn)
    def hook(grad):
        number = _current_pass()
        if number not in ran:
            ran.add(number)
            fn(grad)

    return tuple(t.register_hook(hook) for t in tensors if t.requires_grad)


def _all_hook(tensors, fn):
    nodes = [_get_grad_fn_or_grad_acc(t) for t in tensors]
    arrived = {}  # by number of the pass: how many gradients are missing, and those that came

    def hook_for(index):
        def hook(grad):
            number = _current_pass()
            if number not in arrived:
                arrived[number] = [call("autograd.count_running", (nodes,)), [None] * len(nodes)]
            state = arrived[number]
            state[0] -= 1
            state[1][index] = grad
            if state[0] == 0:
                del arrived[number]
                fn(state[1])

        return hook

    return tuple(t.register_hook(hook_for(i)) for i, t in enumerate(tensors))


class _Slot:
    """Stands for a saved tensor in the graph."""


class _AllowMutationOnSavedContext:
    """The saved tensors, and copies of those that were changed in place since."""

    def __init__(self):
        self.cloned = weakref.WeakKeyDictionary()
        self.original = weakref.WeakKeyDictionary()
        self.slots = weakref.WeakValueDictionary()  # by identity, memory and version of the tensor
        self.at = collections.defaultdict(set)  # keys of slots by memory and version

    def clear(self):
        for table in (self.cloned, self.original, self.slots, self.at):
            table.clear()

    def pack(self, tensor):
        where = (tensor.data_ptr(), tensor._version)
        key = (id(tensor),) + where
        self.at[where].add(key)
        slot = self.slots.get(key)
        if slot is None:
            slot = self.slots[key] = _Slot()
            self.original[slot] = tensor
        return slot

    def unpack(self, slot):
        message = (
            "Trying to backward outside of the 'allow_mutation_on_saved_tensors' context"
            "in which the graph was originally recorded."
        )
        assert _mutation_context is not None, message
        if slot in self.cloned:
            return self.cloned[slot]
        assert slot in self.original, message
        return self.original[slot]

    def before_change(self, tensor):
        """Copies what was saved of a tensor that is about to be changed in place."""
        for key in self.at.get((tensor.data_ptr(), tensor._version), ()):
            slot = self.slots.get(key)
            if slot is not None and slot not in self.cloned:
                self.cloned[slot] = self.original.pop(slot).clone()


_mutation_context = None


@contextlib.contextmanager
def allow_mutation_on_saved_tensors():
    """Inside the block, a saved tensor that is changed in place is copied first."""
    global _mutation_context
    context = _AllowMutationOnSavedContext()
    with saved_tensors_hooks(context.pack, context.unpack):
        if _mutation_context is not None:
            raise RuntimeError("allow_mutation_on_saved_tensors contexts cannot be nested")
        _mutation_context = context
        call("autograd.on_change", (context.before_change,))
        try:
            yield context
        finally:
            call("autograd.on_change", (None,))
            context.clear()
            _mutation_context = None


__getattr__ = missing(__name__)
