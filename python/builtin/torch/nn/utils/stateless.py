"""Calling a module with other parameters and buffers than its own."""

import contextlib
import warnings

import torch
from torch.nn.modules.module import Module

__all__ = ["functional_call"]


def _untied(module, given):
    """given, with each value also under all other names of the same tensor."""
    names = {}  # of each tensor of the module
    for members in (module.named_parameters, module.named_buffers):
        for name, tensor in members(remove_duplicate=False):
            names.setdefault(tensor, []).append(name)
    untied = dict(given)
    for tied in names.values():
        values = {given[name] for name in tied if name in given}
        if len(tied) < 2 or not values:
            continue
        if len(values) > 1:
            raise ValueError(
                f"functional_call got multiple values for keys {sorted(tied)}, "
                "which are tied. Consider using tie_weights=False"
            )
        untied.update(dict.fromkeys(tied, values.pop()))
    return untied


def _check_keys(module, given):
    members = {name for name, _ in module.named_parameters(remove_duplicate=False)}
    members.update(name for name, _ in module.named_buffers(remove_duplicate=False))
    problems = []
    for kind, keys in (("Unexpected", set(given) - members), ("Missing", members - set(given))):
        if keys:
            problems.append(f"{kind} key(s): {', '.join(map(repr, sorted(keys)))}.")
    if problems:
        raise RuntimeError(
            "Error(s) in reparametrizing for {}:\n\t{}".format(
                module._get_name(), "\n\t".join(problems)
            )
        )


_MISSING = object()


def _submodule(module, path, found):
    """The module at a path; found caches earlier results."""
    if path not in found:
        above, _, name = path.rpartition(".")
        parent = _submodule(module, above, found)
        try:
            submodule = getattr(parent, name)
        except AttributeError as ex:
            raise AttributeError(f"{parent._get_name()} has no attribute `{name}`") from ex
        if not isinstance(submodule, Module):
            raise TypeError(
                f"submodule `{path}`: {submodule} is not an instance of torch.nn.Module"
            )
        found[path] = submodule
    return found[path]


def _swap(module, name, tensor):
    """Replaces a tensor with another, and returns the old one."""
    if tensor is not _MISSING and tensor is not None and not isinstance(tensor, torch.Tensor):
        raise TypeError(f"{tensor} is not an instance of torch.Tensor")
    if name == "":
        raise KeyError('tensor name can\'t be empty string ""')
    for members in (module._parameters, module._buffers):
        if name in members:
            before = members[name]
            if tensor is _MISSING:
                del members[name]
            else:
                members[name] = tensor
            return before
    before = getattr(module, name, _MISSING)
    if before is not _MISSING and before is not None and not isinstance(before, torch.Tensor):
        raise TypeError(f"attribute `{name}`: {before} is not an instance of torch.Tensor")
    if tensor is not _MISSING:
        setattr(module, name, tensor)
    elif before is not _MISSING:
        delattr(module, name)
    return before


def _swap_all(module, tensors):
    """Swaps all or none; the result is what was there, by path."""
    found = {"": module}
    before = {}

    def swap(path, tensor):
        above, _, name = path.rpartition(".")
        return _swap(_submodule(module, above, found), name, tensor)

    try:
        for path, tensor in tensors.items():
            before[path] = swap(path, tensor)
    except Exception:
        for path, tensor in before.items():
            swap(path, tensor)
        raise
    return before


@contextlib.contextmanager
def _reparametrize_module(module, parameters_and_buffers, *, tie_weights=False, strict=False):
    """Within it module has other tensors. What it has at the end goes back into
    parameters_and_buffers."""
    given = parameters_and_buffers
    if tie_weights:
        given = _untied(module, given)
    if strict:
        _check_keys(module, given)
    before = _swap_all(module, given)
    try:
        yield
    finally:
        after = _swap_all(module, before)
        for path in parameters_and_buffers:
            if path in after:
                parameters_and_buffers[path] = after[path]


def functional_call(
    module, parameters_and_buffers, args=None, kwargs=None, *, tie_weights=True, strict=False
):
    """The old name of torch.func.functional_call."""
    warnings.warn(
        "`torch.nn.utils.stateless.functional_call` is deprecated as of PyTorch 2.0 "
        "and will be removed in a future version of PyTorch. "
        "Please use `torch.func.functional_call` instead which is a drop-in replacement.",
        FutureWarning,
        stacklevel=2,
    )
    return _functional_call(
        module, parameters_and_buffers, args, kwargs, tie_weights=tie_weights, strict=strict
    )


def _functional_call(
    module, parameters_and_buffers, args=None, kwargs=None, *, tie_weights=True, strict=False
):
    if isinstance(module, torch.nn.DataParallel):
        raise RuntimeError("The stateless API can't be used with nn.DataParallel module")
    if args is None:
        args = ()
    elif not isinstance(args, tuple):
        args = (args,)
    with _reparametrize_module(
        module, parameters_and_buffers, tie_weights=tie_weights, strict=strict
    ):
        return module(*args, **(kwargs or {}))
