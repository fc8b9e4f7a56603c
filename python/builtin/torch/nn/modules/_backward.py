"""Full backward hooks of modules.

The tensors that go into a module and those that come out of it pass through a
node each, BackwardHookFunctionBackward, whose hooks see all their gradients.
"""

import torch
from gradtui._agent.unseen import unseen
from torch import Tensor


class BackwardHookFunction(torch.autograd.Function):
    """Passes tensors and gradients on."""

    @staticmethod
    def forward(ctx, *args):
        ctx.mark_non_differentiable(*[arg for arg in args if not arg.requires_grad])
        return args

    @staticmethod
    def backward(ctx, *args):
        return args


class BackwardHook:
    """The hooks of one call of a module."""

    def __init__(self, module, user_hooks, user_pre_hooks):
        self.module = module
        self.user_hooks = user_hooks
        self.user_pre_hooks = user_pre_hooks
        self.grad_outputs = None
        self.n_inputs = self.n_outputs = -1
        self.input_tensors_index = self.output_tensors_index = None

    def setup_input_hook(self, args):
        """The arguments of forward, those that are tensors behind a node."""
        self.n_inputs = len(args)
        args, self.input_tensors_index = _through_node(args, self._hook_inputs)
        return args

    def setup_output_hook(self, args):
        """The result of forward, tensors behind a node."""
        alone = not isinstance(args, tuple)
        if alone:
            args = (args,)
        self.n_outputs = len(args)
        args, self.output_tensors_index = _through_node(args, self._hook_outputs)
        return args[0] if alone else args

    def _hook_inputs(self, node):
        def hook(grad_input, _):
            # Without gradients of the outputs backward did not come this way.
            if self.grad_outputs is None:
                return None
            grads = _spread(self.input_tensors_index, grad_input, self.n_inputs)
            for user_hook in self.user_hooks:
                changed = user_hook(self.module, grads, self.grad_outputs)
                if changed is None:
                    continue
                if len(changed) != len(grads):
                    raise RuntimeError(
                        "Backward hook returned an invalid number of grad_input, "
                        f"got {len(changed)}, but expected {len(grads)}"
                    )
                grads = changed
            self.grad_outputs = None
            return tuple(grads[i] for i in self.input_tensors_index)

        node.register_hook(hook)

    def _hook_outputs(self, node):
        def hook(_, grad_output):
            grads = _spread(self.output_tensors_index, grad_output, self.n_outputs)
            self.grad_outputs = grads = self._run_pre_hooks(grads)
            if self.input_tensors_index is None:
                self._run_without_inputs()
                self.grad_outputs = None
            return tuple(grads[i] for i in self.output_tensors_index)

        node.register_hook(hook)

    @unseen
    def _run_pre_hooks(self, grads):
        for hook in self.user_pre_hooks:
            grads = _changed(hook(self.module, grads), grads)
        return grads

    @unseen
    def _run_without_inputs(self):
        """No input requires grad, so that no node sees their gradients."""
        grads = (None,) * self.n_inputs
        for hook in self.user_hooks:
            _check_nothing(hook(self.module, grads, self.grad_outputs))


def _changed(changed, grads):
    """The gradients after a hook that was given some."""
    if changed is None:
        return grads
    if len(changed) != len(grads):
        raise RuntimeError(
            "Backward pre hook returned an invalid number of grad_output, "
            f"got {len(changed)}, but expected {len(grads)}"
        )
    return changed


def _check_nothing(changed):
    """Raises an error if a hook has changed gradients that no node sees."""
    if changed is not None and not (isinstance(changed, tuple) and all(el is None for el in changed)):
        raise RuntimeError(
            "Backward hook for Modules where no input requires "
            "gradient should always return None or None for all gradients."
        )


def _spread(indices, values, size):
    """A tuple of size with values at indices and None elsewhere."""
    spread = [None] * size
    for i, value in zip(indices, values):
        spread[i] = value
    return tuple(spread)


def _through_node(args, hook_node):
    """args with the tensors behind one node, and where they are; args as they are,
    and None, if there is nothing to differentiate."""
    indices = [i for i, arg in enumerate(args) if isinstance(arg, Tensor)]
    tensors = [args[i] for i in indices]
    if not torch.is_grad_enabled() or not any(t.requires_grad for t in tensors):
        return args, None
    behind = BackwardHookFunction.apply(*tensors)
    hook_node(next(t.grad_fn for t in behind if t.requires_grad))
    changed = list(args)
    for i, tensor in zip(indices, behind):
        changed[i] = tensor
    return (tuple(changed) if type(args) is tuple else type(args)(*changed)), indices
