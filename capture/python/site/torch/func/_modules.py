"""Modules as functions of their parameters."""

import collections.abc

import torch


def functional_call(module, parameter_and_buffer_dicts, args=None, kwargs=None, *, tie_weights=True, strict=False):
    """Calls the module with other tensors in the place of its parameters and buffers."""
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
    if tie_weights:
        tensors = _with_ties(module, tensors)
    if strict:
        _check_names(module, tensors)
    if kwargs is None:
        kwargs = {}
    if args is None:
        args = ()
    elif not isinstance(args, tuple):
        args = (args,)
    before = []
    try:
        for name, t in tensors.items():
            owner, table, key = _place(module, name)
            before.append((table, key, table[key]))
            table[key] = t
        return module(*args, **kwargs)
    finally:
        for table, key, t in reversed(before):
            table[key] = t


def _named(module):
    """All names of the parameters and buffers, also the further names of shared ones."""
    yield from module.named_parameters(remove_duplicate=False)
    yield from module.named_buffers(remove_duplicate=False)


def _with_ties(module, tensors):
    """The tensors, also under the other names of those that they replace."""
    groups = {}
    for name, t in _named(module):
        groups.setdefault(id(t), []).append(name)
    tied = dict(tensors)
    for names in groups.values():
        given = [name for name in names if name in tensors]
        if any(tensors[name] is not tensors[given[0]] for name in given):
            raise ValueError(
                f"functional_call got multiple values for keys {sorted(given)}, "
                "which are tied. Consider using tie_weights=False"
            )
        for name in names if given else ():
            tied[name] = tensors[given[0]]
    return tied


def _check_names(module, tensors):
    names = {name for name, _ in _named(module)}
    unexpected, missing = sorted(set(tensors) - names), sorted(names - set(tensors))
    messages = []
    if unexpected:
        messages.append(f"Unexpected key(s): {', '.join(unexpected)}.")
    if missing:
        messages.append(f"Missing key(s): {', '.join(missing)}.")
    if messages:
        raise RuntimeError(
            "Error(s) in reparametrizing for {}:\n\t{}".format(module._get_name(), "\n\t".join(messages))
        )


def _place(module, name):
    """The module, the table and the key where a parameter or buffer lies."""
    path, _, key = name.rpartition(".")
    owner = module.get_submodule(path)
    for table in (owner._parameters, owner._buffers):
        if key in table:
            return owner, table, key
    raise AttributeError(f"{owner._get_name()} has no attribute `{key}`")


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
