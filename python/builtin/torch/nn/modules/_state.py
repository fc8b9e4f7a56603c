"""The state of a module: state_dict and load_state_dict."""

import warnings
from collections import OrderedDict, namedtuple
from collections.abc import Mapping

import torch
from torch.nn.parameter import Parameter, is_lazy

from ._hooks import WrappedHook, add_hook

EXTRA_STATE = "_extra_state"


class _IncompatibleKeys(namedtuple("IncompatibleKeys", ["missing_keys", "unexpected_keys"])):
    """What load_state_dict did not find, and what it had no place for."""

    def __repr__(self):
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return super().__repr__()

    __str__ = __repr__


def _unreachable(method):
    raise RuntimeError(
        f"Reached a code path in Module.{method}() that should never be called. "
        "Please file an issue at https://github.com/pytorch/pytorch/issues/new?"
        "template=bug-report.yml to report this bug."
    )


class Module:
    """The part of torch.nn.Module that saves and loads its state."""

    def get_extra_state(self):
        """What else a subclass wants to have in its state."""
        _unreachable("get_extra_state")

    def set_extra_state(self, state):
        """Takes what get_extra_state gave."""
        _unreachable("set_extra_state")

    def _register_state_dict_hook(self, hook):
        if getattr(hook, "_from_public_api", False):
            raise RuntimeError(
                "Cannot register the same function as the state dict post hook that was "
                "previously registered via register_state_dict_post_hook"
            )
        return add_hook(self._state_dict_hooks, hook)

    def register_state_dict_post_hook(self, hook):
        """Calls hook(module, state_dict, prefix, local_metadata) at the end of state_dict."""
        hook._from_public_api = True
        return add_hook(self._state_dict_hooks, hook)

    def register_state_dict_pre_hook(self, hook):
        """Calls hook(module, prefix, keep_vars) at the beginning of state_dict."""
        return add_hook(self._state_dict_pre_hooks, hook)

    def _register_load_state_dict_pre_hook(self, hook, with_module=False):
        wrapped = WrappedHook(hook, self if with_module else None)
        return add_hook(self._load_state_dict_pre_hooks, wrapped)

    def register_load_state_dict_pre_hook(self, hook):
        """Calls hook with the module and the arguments of _load_from_state_dict."""
        return self._register_load_state_dict_pre_hook(hook, with_module=True)

    def register_load_state_dict_post_hook(self, hook):
        """Calls hook(module, incompatible_keys) when the module was loaded."""
        return add_hook(self._load_state_dict_post_hooks, hook)

    def _persistent_state(self):
        """Names and tensors of this module alone that belong to its state."""
        for name, param in self._parameters.items():
            if param is not None:
                yield name, param
        for name, buffer in self._buffers.items():
            if buffer is not None and name not in self._non_persistent_buffers_set:
                yield name, buffer

    def _has_own(self, method):
        """Whether the class of this module has its own version of a method."""
        return getattr(type(self), method) is not getattr(Module, method)

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        for name, tensor in self._persistent_state():
            destination[prefix + name] = tensor if keep_vars else tensor.detach()
        if self._has_own("get_extra_state"):
            destination[prefix + EXTRA_STATE] = self.get_extra_state()

    def state_dict(self, *args, destination=None, prefix="", keep_vars=False):
        """Parameters and persistent buffers by name, of this module and all below."""
        if args:
            warnings.warn(
                "Positional args are being deprecated, use kwargs instead. Refer to "
                "https://pytorch.org/docs/main/generated/torch.nn.Module.html#torch.nn.Module.state_dict"
                " for details.",
                FutureWarning,
                stacklevel=2,
            )
            if destination is None:
                destination = args[0]
            if len(args) > 1 and prefix == "":
                prefix = args[1]
            if len(args) > 2 and keep_vars is False:
                keep_vars = args[2]
        if destination is None:
            destination = OrderedDict()
            destination._metadata = OrderedDict()
        metadata = {"version": self._version}
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = metadata
        for hook in self._state_dict_pre_hooks.values():
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, module in self._modules.items():
            if module is not None:
                module.state_dict(
                    destination=destination, prefix=f"{prefix}{name}.", keep_vars=keep_vars
                )
        for hook in self._state_dict_hooks.values():
            output = hook(self, destination, prefix, metadata)
            if output is None:
                continue
            if getattr(hook, "_from_public_api", False):
                raise RuntimeError("state_dict post-hook must return None")
            destination = output
        return destination

    def _load_from_state_dict(
        self,
        state_dict,
        prefix,
        local_metadata,
        strict,
        missing_keys,
        unexpected_keys,
        error_msgs,
    ):
        for hook in self._load_state_dict_pre_hooks.values():
            hook(
                state_dict,
                prefix,
                local_metadata,
                strict,
                missing_keys,
                unexpected_keys,
                error_msgs,
            )
        state = dict(self._persistent_state())
        assign = local_metadata.get("assign_to_params_buffers", False)
        for name, tensor in state.items():
            key = prefix + name
            if key in state_dict:
                problem = self._load_tensor(name, key, tensor, state_dict[key], assign)
                if problem:
                    error_msgs.append(problem)
            elif strict:
                missing_keys.append(key)
        extra = prefix + EXTRA_STATE
        if self._has_own("set_extra_state"):
            if extra in state_dict:
                self.set_extra_state(state_dict[extra])
            elif strict:
                missing_keys.append(extra)
        elif strict and extra in state_dict:
            unexpected_keys.append(extra)
        if strict:
            for key in state_dict:
                if not key.startswith(prefix) or key == extra:
                    continue
                name, dot, _ = key[len(prefix) :].partition(".")
                if name not in (self._modules if dot else state):
                    unexpected_keys.append(key)

    def _load_tensor(self, name, key, tensor, loaded, assign):
        """Loads one tensor; the result is what was wrong, if anything."""
        if not isinstance(loaded, torch.Tensor):
            return (
                f'While copying the parameter named "{key}", '
                "expected torch.Tensor or Tensor-like object from checkpoint but "
                f"received {type(loaded)}"
            )
        if not is_lazy(tensor):
            if len(tensor.shape) == 0 and len(loaded.shape) == 1:
                loaded = loaded[0]
            if loaded.shape != tensor.shape:
                return (
                    f"size mismatch for {key}: copying a param with shape {loaded.shape} from "
                    f"checkpoint, the shape in current model is {tensor.shape}."
                )
        try:
            with torch.no_grad():
                if not assign:
                    tensor.copy_(loaded)
                    return None
                if isinstance(tensor, Parameter):
                    if isinstance(loaded, Parameter):
                        loaded.requires_grad_(tensor.requires_grad)
                    else:
                        loaded = Parameter(loaded, requires_grad=tensor.requires_grad)
                setattr(self, name, loaded)
                return None
        except Exception as ex:
            return (
                f'While copying the parameter named "{key}", '
                f"whose dimensions in the model are {tensor.size()} and "
                f"whose dimensions in the checkpoint are {loaded.size()}, "
                f"an exception occurred : {ex.args}."
            )

    def _load_all(self, state_dict, prefix, metadata, assign, missing, unexpected, errors):
        """Loads this module and those below it, each with its part of state_dict."""
        local = {} if metadata is None else metadata.get(prefix[:-1], {})
        if assign:
            local["assign_to_params_buffers"] = assign
        self._load_from_state_dict(state_dict, prefix, local, True, missing, unexpected, errors)
        for name, child in self._modules.items():
            if child is not None:
                below = f"{prefix}{name}."
                part = {k: v for k, v in state_dict.items() if k.startswith(below)}
                Module._load_all(child, part, below, metadata, assign, missing, unexpected, errors)
        incompatible = _IncompatibleKeys(missing, unexpected)
        for hook in self._load_state_dict_post_hooks.values():
            output = hook(self, incompatible)
            assert output is None, (
                "Hooks registered with ``register_load_state_dict_post_hook`` are not"
                "expected to return new values, if incompatible_keys need to be modified,"
                "it should be done inplace."
            )

    def load_state_dict(self, state_dict, strict=True, assign=False):
        """Copies (or with assign: takes over) the tensors of state_dict by name."""
        if not isinstance(state_dict, Mapping):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        metadata = getattr(state_dict, "_metadata", None)
        state_dict = OrderedDict(state_dict)
        if metadata is not None:
            state_dict._metadata = metadata
        missing, unexpected, errors = [], [], []
        Module._load_all(self, state_dict, "", metadata, assign, missing, unexpected, errors)
        if strict:
            for kind, keys in (("Unexpected", unexpected), ("Missing", missing)):
                if keys:
                    listed = ", ".join(f'"{k}"' for k in keys)
                    errors.insert(0, f"{kind} key(s) in state_dict: {listed}. ")
        if errors:
            listed = "\n\t".join(errors)
            raise RuntimeError(
                f"Error(s) in loading state_dict for {self.__class__.__name__}:\n\t{listed}"
            )
        return _IncompatibleKeys(missing, unexpected)
