"""The base class of all neural network modules."""

from collections import OrderedDict

import torch
from gradtui._agent import modules as scopes
from gradtui._agent.imports import standard
from torch import Tensor
from torch._namespace import missing
from torch.nn.parameter import Buffer, Parameter

from . import _call, _convert, _state
from ._hooks import (
    GLOBAL_BUFFER_REGISTRATION,
    GLOBAL_MODULE_REGISTRATION,
    GLOBAL_PARAMETER_REGISTRATION,
    register_module_backward_hook,
    register_module_buffer_registration_hook,
    register_module_forward_hook,
    register_module_forward_pre_hook,
    register_module_full_backward_hook,
    register_module_full_backward_pre_hook,
    register_module_module_registration_hook,
    register_module_parameter_registration_hook,
    replaced_by_hooks,
)
from ._state import _IncompatibleKeys  # noqa: F401

__all__ = [
    "register_module_forward_pre_hook",
    "register_module_forward_hook",
    "register_module_full_backward_pre_hook",
    "register_module_backward_hook",
    "register_module_full_backward_hook",
    "register_module_buffer_registration_hook",
    "register_module_module_registration_hook",
    "register_module_parameter_registration_hook",
    "Module",
]

# The attributes that every module has, with their first values, in the order of
# vars(module).
_BEGINNINGS = {
    "training": lambda: True,
    "_parameters": dict,
    "_buffers": dict,
    "_non_persistent_buffers_set": set,
    "_backward_pre_hooks": OrderedDict,
    "_backward_hooks": OrderedDict,
    "_is_full_backward_hook": lambda: None,
    "_forward_hooks": OrderedDict,
    "_forward_hooks_with_kwargs": OrderedDict,
    "_forward_hooks_always_called": OrderedDict,
    "_forward_pre_hooks": OrderedDict,
    "_forward_pre_hooks_with_kwargs": OrderedDict,
    "_state_dict_hooks": OrderedDict,
    "_state_dict_pre_hooks": OrderedDict,
    "_load_state_dict_pre_hooks": OrderedDict,
    "_load_state_dict_post_hooks": OrderedDict,
    "_modules": dict,
}


def _check_name(module, kind, members, name):
    """Raises if a parameter or buffer of the module cannot have this name."""
    if not isinstance(name, str):
        raise TypeError(f"{kind} name should be a string. Got {torch.typename(name)}")
    if "." in name:
        raise KeyError(f'{kind} name can\'t contain "."')
    if name == "":
        raise KeyError(f'{kind} name can\'t be empty string ""')
    if hasattr(module, name) and name not in members:
        raise KeyError(f"attribute '{name}' already exists")


def indented(text, spaces=2):
    """text with all lines but the first moved to the right."""
    return text.replace("\n", "\n" + " " * spaces)


def _parameters(function):
    return standard("inspect").signature(function).parameters


_addindent = indented  # the name that programs use


class Module(_call.Module, _convert.Module, _state.Module):
    """Base of all modules: attributes that are parameters, buffers and modules are
    registered under their names; forward says what the module computes."""

    dump_patches = False
    call_super_init = False
    _version = 1

    def __init__(self, *args, **kwargs):
        if not self.call_super_init:
            if kwargs:
                raise TypeError(
                    f"{type(self).__name__}.__init__() got an unexpected keyword argument"
                    f" '{next(iter(kwargs))}'"
                )
            if args:
                raise TypeError(
                    f"{type(self).__name__}.__init__() takes 1 positional argument but"
                    f" {len(args) + 1} were given"
                )
        scopes.version += 1
        for name, beginning in _BEGINNINGS.items():
            super().__setattr__(name, beginning())
        if self.call_super_init:
            super().__init__(*args, **kwargs)

    # Registration

    def register_buffer(self, name, tensor, persistent=True):
        """Adds a buffer: a tensor that belongs to the module but is not trained."""
        if "_buffers" not in self.__dict__:
            raise AttributeError("cannot assign buffer before Module.__init__() call")
        _check_name(self, "buffer", self._buffers, name)
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(
                f"cannot assign '{torch.typename(tensor)}' object to buffer '{name}' "
                "(torch Tensor or None required)"
            )
        self._buffers[name] = replaced_by_hooks(GLOBAL_BUFFER_REGISTRATION, self, name, tensor)
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def register_parameter(self, name, param):
        """Adds a parameter."""
        if "_parameters" not in self.__dict__:
            raise AttributeError("cannot assign parameter before Module.__init__() call")
        _check_name(self, "parameter", self._parameters, name)
        if param is not None:
            if not isinstance(param, Parameter):
                raise TypeError(
                    f"cannot assign '{torch.typename(param)}' object to parameter '{name}' "
                    "(torch.nn.Parameter or None required)"
                )
            if param.grad_fn:
                raise ValueError(
                    f"Cannot assign non-leaf Tensor to parameter '{name}'. Model "
                    f"parameters must be created explicitly. To express '{name}' "
                    "as a function of another Tensor, compute the value in "
                    "the forward() method."
                )
            param = replaced_by_hooks(GLOBAL_PARAMETER_REGISTRATION, self, name, param)
        self._parameters[name] = param

    def add_module(self, name, module):
        """Adds a submodule."""
        if not isinstance(module, Module) and module is not None:
            raise TypeError(f"{torch.typename(module)} is not a Module subclass")
        if not isinstance(name, str):
            raise TypeError(f"module name should be a string. Got {torch.typename(name)}")
        if hasattr(self, name) and name not in self._modules:
            raise KeyError(f"attribute '{name}' already exists")
        if "." in name:
            raise KeyError(f'module name can\'t contain ".", got: {name}')
        if name == "":
            raise KeyError('module name can\'t be empty string ""')
        scopes.version += 1
        self._modules[name] = replaced_by_hooks(GLOBAL_MODULE_REGISTRATION, self, name, module)

    def register_module(self, name, module):
        """add_module by another name."""
        self.add_module(name, module)

    # Attributes

    def __getattr__(self, name):
        members = self.__dict__
        if "_modules" in members:
            # Written out, because all parameters and layers are found here.
            found = members["_parameters"]
            if name in found:
                return found[name]
            found = members["_modules"]
            if name in found:
                return found[name]
            found = members["_buffers"]
            if name in found:
                return found[name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __setattr__(self, name, value):
        members = self.__dict__
        params = members.get("_parameters")
        if isinstance(value, Tensor):
            if isinstance(value, Parameter):
                self._set_parameter(name, value, params)
                return
        elif isinstance(value, Module):
            if params is None or name not in params:
                self._set_module(name, value, members.get("_modules"))
                return
        if params is not None:
            if name in params:
                if value is not None:
                    raise TypeError(
                        f"cannot assign '{torch.typename(value)}' as parameter '{name}' "
                        "(torch.nn.Parameter or None expected)"
                    )
                self.register_parameter(name, value)
                return
            if name in members["_modules"]:
                if value is not None:
                    raise TypeError(
                        f"cannot assign '{torch.typename(value)}' as child module '{name}' "
                        "(torch.nn.Module or None expected)"
                    )
                self._set_module(name, value, members["_modules"])
                return
            if name in members["_buffers"]:
                self._set_buffer(name, value)
                return
        if isinstance(value, Tensor) and isinstance(value, Buffer):
            self._set_buffer(name, value)
        else:
            super().__setattr__(name, value)

    def _forget(self, name, *kinds):
        """Makes room for a registered name: removes it from where else it is."""
        members = self.__dict__
        members.pop(name, None)
        for kind in kinds:
            members[kind].pop(name, None)
        members["_non_persistent_buffers_set"].discard(name)

    def _set_parameter(self, name, value, params):
        if params is None:
            raise AttributeError("cannot assign parameters before Module.__init__() call")
        self._forget(name, "_buffers", "_modules")
        self.register_parameter(name, value)

    def _set_module(self, name, value, modules):
        if modules is None:
            raise AttributeError("cannot assign module before Module.__init__() call")
        if value is not None:
            self._forget(name, "_parameters", "_buffers")
        scopes.version += 1
        modules[name] = replaced_by_hooks(GLOBAL_MODULE_REGISTRATION, self, name, value)

    def _set_buffer(self, name, value):
        if value is not None and not isinstance(value, Tensor):
            raise TypeError(
                f"cannot assign '{torch.typename(value)}' as buffer '{name}' "
                "(torch.nn.Buffer, torch.Tensor or None expected)"
            )
        if isinstance(value, Buffer):
            persistent = value.persistent
        else:
            persistent = name not in self._non_persistent_buffers_set
        if type(self).register_buffer is Module.register_buffer or "persistent" in _parameters(self.register_buffer):
            self.register_buffer(name, value, persistent)
        elif persistent:
            self.register_buffer(name, value)
        else:
            raise RuntimeError(
                "Registering a non-persistent buffer on a Module subclass that implements "
                "register_buffer() without the persistent argument is not allowed."
            )

    def __delattr__(self, name):
        if name in self._parameters:
            del self._parameters[name]
        elif name in self._buffers:
            del self._buffers[name]
            self._non_persistent_buffers_set.discard(name)
        elif name in self._modules:
            del self._modules[name]
        else:
            super().__delattr__(name)

    def __dir__(self):
        keys = [*dir(self.__class__), *self.__dict__]
        keys += [*self._parameters, *self._modules, *self._buffers]
        return sorted(key for key in keys if not key[0].isdigit())

    # Members by path

    def _walk(self, names):
        module = self
        for name in names:
            module = module._member(name)
            if not isinstance(module, Module):
                raise AttributeError(f"`{name}` is not an nn.Module")
        return module

    def _member(self, name):
        if not hasattr(self, name):
            raise AttributeError(f"{self._get_name()} has no attribute `{name}`")
        return getattr(self, name)

    def get_submodule(self, target):
        """The module at a path such as "encoder.layers.0"."""
        return self._walk(target.split(".")) if target else self

    def set_submodule(self, target, module):
        """Puts module at a path."""
        if target == "":
            raise ValueError("Cannot set the submodule without a target name!")
        *path, name = target.split(".")
        setattr(self._walk(path), name, module)

    def get_parameter(self, target):
        """The parameter at a path."""
        path, _, name = target.rpartition(".")
        param = self.get_submodule(path)._member(name)
        if not isinstance(param, Parameter):
            raise AttributeError(f"`{name}` is not an nn.Parameter")
        return param

    def get_buffer(self, target):
        """The buffer at a path."""
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        buffer = module._member(name)
        if name not in module._buffers:
            raise AttributeError(f"`{name}` is not a buffer")
        return buffer

    # Members one after the other

    def _named_members(self, get_members_fn, prefix="", recurse=True, remove_duplicate=True):
        seen = set()
        if recurse:
            modules = self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate)
        else:
            modules = [(prefix, self)]
        for path, module in modules:
            for name, member in get_members_fn(module):
                if member is None or member in seen:
                    continue
                if remove_duplicate:
                    seen.add(member)
                yield (f"{path}.{name}" if path else name), member

    def parameters(self, recurse=True):
        """All parameters, each one once."""
        for _, param in self.named_parameters(recurse=recurse):
            yield param

    def named_parameters(self, prefix="", recurse=True, remove_duplicate=True):
        """Pairs of path and parameter."""
        yield from self._named_members(
            lambda module: module._parameters.items(), prefix, recurse, remove_duplicate
        )

    def buffers(self, recurse=True):
        """All buffers, each one once."""
        for _, buffer in self.named_buffers(recurse=recurse):
            yield buffer

    def named_buffers(self, prefix="", recurse=True, remove_duplicate=True):
        """Pairs of path and buffer."""
        yield from self._named_members(
            lambda module: module._buffers.items(), prefix, recurse, remove_duplicate
        )

    def children(self):
        """The modules right below this one, each one once."""
        for _, module in self.named_children():
            yield module

    def named_children(self):
        """Pairs of name and module right below this one."""
        seen = set()
        for name, module in self._modules.items():
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def modules(self):
        """This module and all below, each one once."""
        for _, module in self.named_modules():
            yield module

    def named_modules(self, memo=None, prefix="", remove_duplicate=True):
        """Pairs of path and module, of this module and all below."""
        if memo is None:
            memo = set()
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                path = f"{prefix}.{name}" if prefix else name
                yield from module.named_modules(memo, path, remove_duplicate)

    # Text

    def _get_name(self):
        return self.__class__.__name__

    def extra_repr(self):
        """What repr shows of the module itself."""
        return ""

    def __repr__(self):
        extra = self.extra_repr()
        lines = extra.split("\n") if extra else []
        below = [f"({name}): {indented(repr(m))}" for name, m in self._modules.items()]
        if len(lines) == 1 and not below:
            return f"{self._get_name()}({extra})"
        if not lines and not below:
            return f"{self._get_name()}()"
        return "\n  ".join([f"{self._get_name()}(", *lines, *below]) + "\n)"

    # Copies

    def __getstate__(self):
        state = self.__dict__.copy()
        state.pop("_compiled_call_impl", None)
        return state

    def __setstate__(self, state):
        scopes.version += 1
        self.__dict__.update(state)
        for name, beginning in _BEGINNINGS.items():
            if name not in self.__dict__:
                super().__setattr__(name, beginning())


__getattr__ = missing(__name__)
