"""Hooks of modules: those that all modules share, and how hooks are kept."""

import functools
import weakref
from collections import OrderedDict

from torch.utils.hooks import RemovableHandle

GLOBAL_BUFFER_REGISTRATION = OrderedDict()
GLOBAL_MODULE_REGISTRATION = OrderedDict()
GLOBAL_PARAMETER_REGISTRATION = OrderedDict()
GLOBAL_FORWARD_PRE = OrderedDict()
GLOBAL_FORWARD = OrderedDict()
GLOBAL_FORWARD_ALWAYS = OrderedDict()
GLOBAL_FORWARD_WITH_KWARGS = OrderedDict()
GLOBAL_BACKWARD_PRE = OrderedDict()
GLOBAL_BACKWARD = OrderedDict()

# What kind GLOBAL_BACKWARD holds: full hooks (True), the old kind (False), or
# none was registered yet.
global_backward_is_full = None


def add_hook(table, hook, *, prepend=False, marks=()):
    """Puts hook into table. marks are the tables that note something about it:
    pairs of a table and whether the hook is noted there."""
    handle = RemovableHandle(table, extra_dict=[marked for marked, _ in marks])
    table[handle.id] = hook
    for marked, wanted in marks:
        if wanted:
            marked[handle.id] = True
    if prepend:
        table.move_to_end(handle.id, last=False)
    return handle


def replaced_by_hooks(table, module, name, value):
    """What registration hooks make of a value that is about to be registered."""
    for hook in table.values():
        output = hook(module, name, value)
        if output is not None:
            value = output
    return value


def register_module_buffer_registration_hook(hook):
    """Calls hook(module, name, buffer) whenever a buffer is registered."""
    return add_hook(GLOBAL_BUFFER_REGISTRATION, hook)


def register_module_module_registration_hook(hook):
    """Calls hook(module, name, submodule) whenever a submodule is registered."""
    return add_hook(GLOBAL_MODULE_REGISTRATION, hook)


def register_module_parameter_registration_hook(hook):
    """Calls hook(module, name, param) whenever a parameter is registered."""
    return add_hook(GLOBAL_PARAMETER_REGISTRATION, hook)


def register_module_forward_pre_hook(hook):
    """Calls hook(module, args) before the forward of every module."""
    return add_hook(GLOBAL_FORWARD_PRE, hook)


def register_module_forward_hook(hook, *, with_kwargs=False, always_call=False):
    """Calls hook(module, args, output) after the forward of every module."""
    return add_hook(
        GLOBAL_FORWARD,
        hook,
        marks=[(GLOBAL_FORWARD_WITH_KWARGS, with_kwargs), (GLOBAL_FORWARD_ALWAYS, always_call)],
    )


def register_module_full_backward_pre_hook(hook):
    """Calls hook(module, grad_output) before the gradients of every module."""
    return add_hook(GLOBAL_BACKWARD_PRE, hook)


def _register_global_backward(hook, full):
    global global_backward_is_full
    if global_backward_is_full is (not full):
        raise RuntimeError(
            "Cannot use both regular backward hooks and full backward hooks as a "
            "global Module hook. Please use only one of them."
        )
    global_backward_is_full = full
    return add_hook(GLOBAL_BACKWARD, hook)


def register_module_backward_hook(hook):
    """The old kind of backward hook, for every module."""
    return _register_global_backward(hook, False)


def register_module_full_backward_hook(hook):
    """Calls hook(module, grad_input, grad_output) for every module."""
    return _register_global_backward(hook, True)


class WrappedHook:
    """A hook that gets the module it was registered on as first argument, without
    keeping that module alive."""

    def __init__(self, hook, module=None):
        self.hook = hook
        functools.update_wrapper(self, hook)
        self.with_module = module is not None
        if self.with_module:
            self.module = weakref.ref(module)

    def __call__(self, *args, **kwargs):
        if not self.with_module:
            return self.hook(*args, **kwargs)
        module = self.module()
        if module is None:
            raise RuntimeError("You are trying to call the hook of a dead Module!")
        return self.hook(module, *args, **kwargs)

    def __getstate__(self):
        state = {"hook": self.hook, "with_module": self.with_module}
        if self.with_module:
            state["module"] = self.module()
        return state

    def __setstate__(self, state):
        self.hook = state["hook"]
        self.with_module = state["with_module"]
        if self.with_module:
            if state["module"] is None:
                raise RuntimeError("You are trying to revive the hook of a dead Module!")
            self.module = weakref.ref(state["module"])
