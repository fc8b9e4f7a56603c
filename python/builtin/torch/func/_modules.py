"""Modules as functions of their parameters."""

import collections.abc

import torch


def functional_call(module, parameter_and_buffer_dicts, args=None, kwargs=None, *, tie_weights=True, strict=False):
    """Calls the module with other tensors instead of its parameters and buffers."""
    dicts = parameter_and_buffer_dicts
    if isinstance(dicts, dict):
        tensors = dicts
    elif isinstance(dicts, collections.abc.Sequence):
        if not all(isinstance(d, dict) for d in dicts):
            raise ValueError("Expected all elements of parameter_and_buffer_dicts to be dictionaries")
        names = [name for d in dicts for name in d]
        repeated = [name for name in dict.fromkeys(names) if names.count(name) > 1]
        if repeated:
            raise ValueError(
                f"{repeated} appeared in multiple dictionaries; behavior of functional call is ambiguous"
            )
        tensors = {name: t for d in dicts for name, t in d.items()}
    else:
        raise ValueError(
            "Expected parameter_and_buffer_dicts to be a dict, or a list/tuple of dicts, "
            f"but got {type(dicts)}"
        )
    return torch.nn.utils.stateless._functional_call(
        module, tensors, args, kwargs, tie_weights=tie_weights, strict=strict
    )


def stack_module_state(models):
    """The parameters, and the buffers, of models of the same class, stacked."""
    if len(models) == 0:
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")
    if len({m.training for m in models}) > 1:
        raise RuntimeError("stack_module_state: Expected all models to have the same training/eval mode.")
    if len({type(m) for m in models}) > 1:
        raise RuntimeError("stack_module_state: Expected all models to be of the same class.")

    def stacked(states):
        return {name: _stacked_leaf([s[name] for s in states], name) for name in states[0]}

    return stacked([dict(m.named_parameters()) for m in models]), stacked([dict(m.named_buffers()) for m in models])


def _stacked_leaf(tensors, name):
    wanted = {t.requires_grad for t in tensors}
    if len(wanted) > 1:
        raise RuntimeError(f"Expected {name} from each model to have the same .requires_grad")
    result = torch.stack(tensors)
    return result.detach().requires_grad_() if wanted == {True} else result


def replace_all_batch_norm_modules_(root):
    """Makes all batch normalizations of a module forget their running statistics."""
    for module in root.modules():
        if isinstance(module, torch.nn.modules.batchnorm._BatchNorm) and module.track_running_stats:
            module.running_mean = None
            module.running_var = None
            module.num_batches_tracked = None
            module.track_running_stats = False
    return root
