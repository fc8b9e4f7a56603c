"""Calling a module: forward with the hooks around it."""

import warnings

from gradtui._agent.modules import enter, leave
from gradtui._agent.names import result as name_result
from gradtui._agent.notes import note
from gradtui._agent.unseen import unseen
from torch import Tensor

from . import _hooks
from ._backward import BackwardHook
from ._hooks import (
    GLOBAL_BACKWARD,
    GLOBAL_BACKWARD_PRE,
    GLOBAL_FORWARD,
    GLOBAL_FORWARD_ALWAYS,
    GLOBAL_FORWARD_PRE,
    GLOBAL_FORWARD_WITH_KWARGS,
    WrappedHook,
    add_hook,
)


def _forward_unimplemented(self, *input):
    raise NotImplementedError(
        f'Module [{type(self).__name__}] is missing the required "forward" function'
    )


class Module:
    """The part of torch.nn.Module that calls forward, and its hooks."""

    _compiled_call_impl = None
    forward = _forward_unimplemented

    def _wrapped_call_impl(self, *args, **kwargs):
        running = enter(self)
        try:
            if (
                self._forward_hooks
                or self._forward_pre_hooks
                or self._backward_hooks
                or self._backward_pre_hooks
                or GLOBAL_FORWARD
                or GLOBAL_FORWARD_PRE
                or GLOBAL_BACKWARD
                or GLOBAL_BACKWARD_PRE
            ):
                result = self._call_impl(*args, **kwargs)
            else:
                result = self.forward(*args, **kwargs)
        finally:
            leave(running)
        name_result(result)
        return result

    __call__ = _wrapped_call_impl

    def _call_impl(self, *args, **kwargs):
        call = _Call(self, args, kwargs)
        try:
            return call.inner()
        except Exception:
            call.run_hooks_after_error()
            raise

    def register_forward_pre_hook(self, hook, *, prepend=False, with_kwargs=False):
        """Calls hook(module, args) before forward; it may return new arguments."""
        note("hook", "module", "register_forward_pre_hook", type(self).__name__)
        return add_hook(
            self._forward_pre_hooks,
            hook,
            prepend=prepend,
            marks=[(self._forward_pre_hooks_with_kwargs, with_kwargs)],
        )

    def register_forward_hook(self, hook, *, prepend=False, with_kwargs=False, always_call=False):
        """Calls hook(module, args, output) after forward; it may return a new output."""
        note("hook", "module", "register_forward_hook", type(self).__name__)
        return add_hook(
            self._forward_hooks,
            hook,
            prepend=prepend,
            marks=[
                (self._forward_hooks_with_kwargs, with_kwargs),
                (self._forward_hooks_always_called, always_call),
            ],
        )

    def register_full_backward_pre_hook(self, hook, prepend=False):
        """Calls hook(module, grad_output) before the module's gradients are computed."""
        note("hook", "module", "register_full_backward_pre_hook", type(self).__name__)
        return add_hook(self._backward_pre_hooks, hook, prepend=prepend)

    def _register_backward(self, hook, full, prepend):
        if self._is_full_backward_hook is (not full):
            raise RuntimeError(
                "Cannot use both regular backward hooks and full backward hooks on a "
                "single Module. Please use only one of them."
            )
        self._is_full_backward_hook = full
        note("hook", "module", "register_full_backward_hook" if full else "register_backward_hook", type(self).__name__)
        return add_hook(self._backward_hooks, hook, prepend=prepend)

    def register_backward_hook(self, hook):
        """The old kind of backward hook: on the node of the output."""
        return self._register_backward(hook, False, False)

    def register_full_backward_hook(self, hook, prepend=False):
        """Calls hook(module, grad_input, grad_output) when the gradients with
        respect to the inputs are known."""
        return self._register_backward(hook, True, prepend)

    def _get_backward_hooks(self):
        kinds = {True: [], False: [], None: []}
        kinds[_hooks.global_backward_is_full].extend(GLOBAL_BACKWARD.values())
        kinds[self._is_full_backward_hook].extend(self._backward_hooks.values())
        return kinds[True], kinds[False]

    def _get_backward_pre_hooks(self):
        return [*GLOBAL_BACKWARD_PRE.values(), *self._backward_pre_hooks.values()]


class _Call:
    """One call of a module that has hooks."""

    def __init__(self, module, args, kwargs):
        self.module = module
        self.args = args
        self.kwargs = kwargs
        self.result = None
        self.called = set()

    def inner(self):
        """Runs forward and the hooks around it."""
        module = self.module
        full, old = module._get_backward_hooks()
        before_backward = module._get_backward_pre_hooks()
        self._run_pre_hooks()
        backward = None
        if full or before_backward:
            backward = BackwardHook(module, full, before_backward)
            self.args = backward.setup_input_hook(self.args)
        self.result = module.forward(*self.args, **self.kwargs)
        self._run_forward_hooks()
        if backward is not None:
            if not isinstance(self.result, (Tensor, tuple)):
                warnings.warn(
                    "For backward hooks to be called,"
                    " module output should be a Tensor or a tuple of Tensors"
                    f" but received {type(self.result)}"
                )
            self.result = backward.setup_output_hook(self.result)
        if old:
            self._hook_node_of_output(old)
        return self.result

    @unseen
    def _run_pre_hooks(self):
        module = self.module
        for key, hook in [*GLOBAL_FORWARD_PRE.items(), *module._forward_pre_hooks.items()]:
            if key in module._forward_pre_hooks_with_kwargs:
                self._take_both(hook(module, self.args, self.kwargs))
            else:
                changed = hook(module, self.args)
                if changed is not None:
                    self.args = changed if isinstance(changed, tuple) else (changed,)

    def _take_both(self, changed):
        """Takes the arguments that a hook has changed."""
        if changed is None:
            return
        if not isinstance(changed, tuple) or len(changed) != 2:
            raise RuntimeError(
                "forward pre-hook must return None or a tuple "
                f"of (new_args, new_kwargs), but got {changed}."
            )
        self.args, self.kwargs = changed

    def _forward_hooks(self):
        """Triples: hook, whether it is always called, whether it takes kwargs."""
        module = self.module
        for key, hook in [*GLOBAL_FORWARD.items(), *module._forward_hooks.items()]:
            always = key in GLOBAL_FORWARD_ALWAYS or key in module._forward_hooks_always_called
            takes = key in GLOBAL_FORWARD_WITH_KWARGS or key in module._forward_hooks_with_kwargs
            yield key, hook, always, takes

    @unseen
    def _run_forward_hook(self, hook, takes_kwargs):
        if takes_kwargs:
            changed = hook(self.module, self.args, self.kwargs, self.result)
        else:
            changed = hook(self.module, self.args, self.result)
        if changed is not None:
            self.result = changed

    @unseen
    def _run_forward_hooks(self):
        for key, hook, always, takes_kwargs in self._forward_hooks():
            if always:
                self.called.add(key)
            self._run_forward_hook(hook, takes_kwargs)

    def run_hooks_after_error(self):
        """Hooks that are to be called in any case; what they raise is only warned of."""
        for key, hook, always, takes_kwargs in self._forward_hooks():
            if not always or key in self.called:
                continue
            try:
                self._run_forward_hook(hook, takes_kwargs and key not in GLOBAL_FORWARD)
            except Exception as e:
                which = "global module" if key in GLOBAL_FORWARD else "module"
                warnings.warn(
                    f"{which} forward hook with ``always_call=True`` raised an exception "
                    f"that was silenced as another error was raised in forward: {e}"
                )

    def _hook_node_of_output(self, hooks):
        first = self.result
        while not isinstance(first, Tensor):
            if isinstance(first, dict):
                first = next(v for v in first.values() if isinstance(v, Tensor))
            else:
                first = first[0]
        node = first.grad_fn
        if node is None:
            return
        for hook in hooks:
            node.register_hook(WrappedHook(hook, self.module))
        missed = _missed_by_old_hook(self.args, self.result, node)
        if missed is not None:
            use, missing, advice = missed
            warnings.warn(
                f"Using {use} is deprecated and will be removed in future versions. "
                f"This hook will be missing some {missing}.{advice}",
                FutureWarning,
                stacklevel=2,
            )


def _tensors(value):
    """The tensors of a tensor or of a tuple of tensors; None for anything else."""
    if isinstance(value, Tensor):
        return (value,)
    if isinstance(value, tuple) and all(isinstance(v, Tensor) for v in value):
        return value
    return None


_ADVICE = " Please use register_full_backward_hook to get the documented behavior."


def _missed_by_old_hook(inputs, result, node):
    """What a hook of the old kind on this node does not see, as the words of the
    warning; None if it sees all."""
    outputs = _tensors(result)
    if outputs is None:
        use = (
            "non-full backward hooks on a Module that does not return a "
            "single Tensor or a tuple of Tensors"
        )
        return use, "of the grad_output", _ADVICE
    inputs = _tensors(inputs)
    if inputs is None:
        use = (
            "non-full backward hooks on a Module that does not take as input a "
            "single Tensor or a tuple of Tensors"
        )
        return use, "of the grad_input", _ADVICE
    nodes = {t.grad_fn for t in outputs if t.grad_fn is not None}
    if len(nodes) > 1:
        use = "a non-full backward hook when outputs are generated by different autograd Nodes"
        return use, "grad_output", _ADVICE
    if node not in nodes:
        use = "a non-full backward hook when outputs are nested in python data structure"
        return use, "grad_output", ""
    before = {t.grad_fn for t in inputs if t.grad_fn is not None}
    if before != {entry[0] for entry in node.next_functions}:
        use = "a non-full backward hook when the forward contains multiple autograd Nodes"
        return use, "grad_input", _ADVICE
    return None
