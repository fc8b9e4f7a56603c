"""Checkpointing: backward computes the inside of a function again instead of keeping it."""

import collections
import contextlib
import uuid
import warnings
import weakref

import torch
from torch._engine import call
from torch._namespace import missing
from torch.autograd.graph import saved_tensors_hooks

__all__ = [
    "checkpoint",
    "checkpoint_sequential",
    "CheckpointError",
    "CheckpointFunction",
    "check_backward_validity",
    "detach_variable",
    "get_device_states",
    "set_device_states",
    "noop_context_fn",
    "set_checkpoint_early_stop",
    "DefaultDeviceType",
    "set_checkpoint_debug_enabled",
]

_enable_checkpoint_early_stop = True
_checkpoint_debug_enabled = None


class CheckpointError(RuntimeError):
    """The second computation was not like the first."""


class _StopRecomputation(Exception):
    """All that backward needs was computed again."""


@contextlib.contextmanager
def set_checkpoint_early_stop(enable):
    """Whether the second computation ends as soon as backward has what it needs."""
    global _enable_checkpoint_early_stop
    before = _enable_checkpoint_early_stop
    _enable_checkpoint_early_stop = enable
    try:
        yield
    finally:
        _enable_checkpoint_early_stop = before


@contextlib.contextmanager
def set_checkpoint_debug_enabled(enabled):
    """Overrides the argument debug of checkpoint."""
    global _checkpoint_debug_enabled
    before = _checkpoint_debug_enabled
    _checkpoint_debug_enabled = enabled
    try:
        yield
    finally:
        _checkpoint_debug_enabled = before


class DefaultDeviceType:
    """The device whose random state is kept besides the CPU's."""

    _default_device_type = "cuda"

    @staticmethod
    def set_device_type(device="cuda"):
        DefaultDeviceType._default_device_type = device

    @staticmethod
    def get_device_type():
        return DefaultDeviceType._default_device_type


def get_device_states(*args):
    """The devices of the arguments besides the CPU, and their random states: none."""
    return [], []


def set_device_states(devices, states, *, device_type=None):
    """Restores what get_device_states returned."""


def noop_context_fn():
    return contextlib.nullcontext(), contextlib.nullcontext()


def detach_variable(inputs):
    """The tensors cut off from their history."""
    if not isinstance(inputs, tuple):
        raise RuntimeError("Only tuple of tensors is supported. Got Unsupported input type: ", type(inputs).__name__)
    return tuple(x.detach().requires_grad_(x.requires_grad) if isinstance(x, torch.Tensor) else x for x in inputs)


def check_backward_validity(inputs):
    """Warns if no input requires grad."""
    if not any(x.requires_grad for x in inputs if isinstance(x, torch.Tensor)):
        warnings.warn("None of the inputs have requires_grad=True. Gradients will be None")


@contextlib.contextmanager
def _random_state(state):
    """Numbers drawn inside begin at a state and leave those outside alone."""
    if state is None:
        yield
        return
    outside = torch.get_rng_state()
    torch.set_rng_state(state)
    try:
        yield
    finally:
        torch.set_rng_state(outside)


class CheckpointFunction(torch.autograd.Function):
    """The reentrant form: backward runs the function and a backward pass of its own."""

    @staticmethod
    def forward(ctx, run_function, preserve_rng_state, *args):
        check_backward_validity(args)
        ctx.run_function = run_function
        ctx.fwd_cpu_state = torch.get_rng_state() if preserve_rng_state else None
        ctx.tensor_indices = [i for i, x in enumerate(args) if isinstance(x, torch.Tensor)]
        ctx.inputs = [None if isinstance(x, torch.Tensor) else x for x in args]
        ctx.save_for_backward(*(args[i] for i in ctx.tensor_indices))
        with torch.no_grad():
            return run_function(*args)

    @staticmethod
    def backward(ctx, *grads):
        if not torch.autograd._is_checkpoint_valid():
            raise RuntimeError(
                "When use_reentrant=True, torch.utils.checkpoint is incompatible"
                " with .grad() or passing an `inputs` parameter to .backward()."
                " To resolve this error, you can either set use_reentrant=False,"
                " or call .backward() without passing the `inputs` argument."
            )
        inputs = list(ctx.inputs)
        for i, t in zip(ctx.tensor_indices, ctx.saved_tensors):
            inputs[i] = t
        with _random_state(ctx.fwd_cpu_state):
            inputs = detach_variable(tuple(inputs))
            with torch.enable_grad():
                outputs = ctx.run_function(*inputs)
        if isinstance(outputs, torch.Tensor):
            outputs = (outputs,)
        roots = [(o, g) for o, g in zip(outputs, grads) if isinstance(o, torch.Tensor) and o.requires_grad]
        if not roots:
            raise RuntimeError("none of output has requires_grad=True, this checkpoint() is not necessary")
        torch.autograd.backward(*(list(part) for part in zip(*roots)))
        return (None, None) + tuple(x.grad if isinstance(x, torch.Tensor) else None for x in inputs)


def checkpoint(
    function,
    *args,
    use_reentrant=None,
    context_fn=noop_context_fn,
    determinism_check="default",
    debug=False,
    **kwargs,
):
    """Calls the function without keeping what its backward needs; backward calls it again."""
    if use_reentrant is None:
        warnings.warn(
            "torch.utils.checkpoint: the use_reentrant parameter should be passed explicitly. "
            "In version 2.5 we will raise an exception if use_reentrant is not passed. "
            "use_reentrant=False is recommended, but if you need to preserve the current default "
            "behavior, you can pass use_reentrant=True. Refer to docs for more details on the "
            "differences between the two variants.",
            stacklevel=2,
        )
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    if not use_reentrant:
        return _checkpoint_saved(function, preserve, context_fn, determinism_check, debug, args, kwargs)
    if kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    if context_fn is not noop_context_fn or debug is not False:
        raise ValueError("Passing `context_fn` or `debug` is only supported when use_reentrant=False.")
    return CheckpointFunction.apply(function, preserve, *args)


def checkpoint_sequential(functions, segments, input, use_reentrant=None, **kwargs):
    """Calls functions one after the other; all segments of them but the last are checkpointed."""
    if use_reentrant is None:
        warnings.warn(
            "torch.utils.checkpoint.checkpoint_sequential: the use_reentrant "
            "parameter should be passed explicitly. "
            "In version 2.5 we will raise an exception if use_reentrant "
            "is not passed. use_reentrant=False is "
            "recommended, but if you need to preserve the current default "
            "behavior, you can pass use_reentrant=True. Refer to docs for more "
            "details on the differences between the two variants."
        )
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    if kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    functions = list(functions.children()) if isinstance(functions, torch.nn.Sequential) else functions

    def chain(part):
        def forward(x):
            for f in part:
                x = f(x)
            return x

        return forward

    size = len(functions) // segments
    last = size * (segments - 1)
    for start in range(0, last, size):
        segment = chain(functions[start : start + size])
        input = checkpoint(segment, input, use_reentrant=use_reentrant, preserve_rng_state=preserve)
    return chain(functions[last:])(input)


def _metadata(x):
    return {"shape": x.shape, "dtype": x.dtype, "device": x.device}


_DETERMINISM_CHECKS = {"default": _metadata, "none": lambda _: None}


class _Handle:
    """One recomputed tensor of one backward pass."""


class _Holder:
    """Stands for a saved tensor in the graph."""

    def __init__(self):
        self.handles = {}  # by backward pass; None when the tensor was handed out


class _SaveInputs(torch.autograd.Function):
    """Keeps the arguments of a checkpointed call in the graph."""

    @staticmethod
    def forward(*args):
        return torch.empty((0,))

    @staticmethod
    def setup_context(ctx, inputs, output):
        at = [i for i, x in enumerate(inputs) if isinstance(x, torch.Tensor)]
        rest = [None if isinstance(x, torch.Tensor) else x for x in inputs]

        def get_args(saved):
            args = list(rest)
            for i, t in zip(at, saved):
                args[i] = t
            return args[1:]

        ctx.get_args = get_args
        ctx.save_for_backward(*(inputs[i] for i in at))

    @staticmethod
    def backward(ctx, *grad_outputs):
        raise AssertionError("Did not expect to backward on this graph")


class _Frame:
    """One checkpointed call: what it saved, and what was computed again for each backward pass."""

    def __init__(self, recompute, early_stop, metadata):
        self.recompute = recompute
        self.early_stop = early_stop
        self.metadata = metadata
        self.inputs = None
        self.holders = []  # weak, in the order in which tensors were saved
        self.described = []
        self.recomputed = collections.defaultdict(weakref.WeakKeyDictionary)
        self.counts = collections.defaultdict(int)
        self.done = set()
        self.completed = False
        self.unchecked = False

    def pack(self, tensor):
        holder = _Holder()
        self.holders.append(weakref.ref(holder))
        with torch.no_grad():
            self.described.append(self.metadata(tensor))
        return holder

    def unpack(self, holder):
        number = call("autograd.current_pass", ())
        if number == -1:
            number = int(uuid.uuid4())
        if number not in self.done:
            self.run_again(number)
        _certain(number in holder.handles)
        handle = holder.handles[number]
        if handle is None:
            raise CheckpointError(
                "torch.utils.checkpoint: Unpack is being triggered for a tensor that was already "
                "unpacked once. If you are calling ctx.saved_tensors in backward, make sure "
                "to do so only once. Otherwise please open an issue with details on your use case."
            )
        holder.handles[number] = None
        return self.recomputed[number][handle]

    def run_again(self, number):
        node = self.inputs.grad_fn
        args = node.get_args(node.saved_tensors)
        frame = weakref.ref(self)
        try:
            with saved_tensors_hooks(lambda x: frame().pack_again(x, number), lambda x: x), torch.enable_grad():
                self.recompute(*args)
        except _StopRecomputation:
            pass
        self.done.add(number)
        if not self.unchecked:
            self.check(number)

    def pack_again(self, tensor, number):
        tensor = tensor.detach() if tensor.requires_grad else tensor
        index = self.counts[number]
        self.counts[number] += 1
        if index >= len(self.holders):
            if self.completed:
                raise CheckpointError(
                    "torch.utils.checkpoint: trying to save more tensors during recomputation than during the"
                    " original forward pass."
                )
            self.unchecked = True
            return tensor
        holder = self.holders[index]()
        if holder is not None:
            handle = holder.handles[number] = _Handle()
            self.recomputed[number][handle] = tensor
        if self.early_stop and self.counts[number] == len(self.holders):
            raise _StopRecomputation
        return tensor

    def check(self, number):
        if len(self.holders) != self.counts[number]:
            raise CheckpointError(
                "torch.utils.checkpoint: A different number of tensors was saved "
                "during the original forward and recomputation.\n"
                f"Number of tensors saved during forward: {len(self.holders)}\n"
                f"Number of tensors saved during recomputation: {self.counts[number]}"
            )
        different = ""
        for i, ref in enumerate(self.holders):
            holder = ref()
            if holder is None:
                continue
            _certain(number in holder.handles)
            again = self.metadata(self.recomputed[number][holder.handles[number]])
            if self.described[i] != again:
                different += (
                    f"tensor at position {i}:\nsaved metadata: {self.described[i]}\nrecomputed metadata: {again}\n"
                )
        if different:
            raise CheckpointError(
                "torch.utils.checkpoint: Recomputed values for the following tensors "
                "have different metadata than during the forward pass.\n" + different
            )


def _certain(condition):
    if not condition:
        raise AssertionError(
            "Something went unexpectedly wrong in activation checkpoint. "
            "Please report this bug by filing an issue to PyTorch."
        )


def _checkpoint_saved(function, preserve, context_fn, determinism_check, debug, args, kwargs):
    """The form without reentrance: hooks on saved tensors compute them again."""
    if _checkpoint_debug_enabled if _checkpoint_debug_enabled is not None else debug:
        if context_fn != noop_context_fn:
            raise ValueError("debug=True is incompatible with non-default context_fn")
        from torch._unsupported import unsupported

        unsupported("torch.utils.checkpoint.checkpoint(debug=True)")
    if determinism_check not in _DETERMINISM_CHECKS:
        raise ValueError(
            f"determinism_check should be one of {list(_DETERMINISM_CHECKS)}, but got {determinism_check}"
        )
    forward_context, recompute_context = context_fn()
    state = torch.get_rng_state() if preserve else None

    def recompute(kwargs, *args):
        with _random_state(state), recompute_context:
            function(*args, **kwargs)

    frame = _Frame(recompute, _enable_checkpoint_early_stop, _DETERMINISM_CHECKS[determinism_check])
    frame.inputs = _SaveInputs.apply(torch.empty((0,), requires_grad=True), kwargs, *args)
    if frame.inputs.grad_fn is None:
        return function(*args, **kwargs)
    with saved_tensors_hooks(frame.pack, frame.unpack), forward_context:
        result = function(*args, **kwargs)
    frame.completed = True
    return result


__getattr__ = missing(__name__)
