"""The base of all optimizers: groups of parameters, their settings, state and hooks."""

import functools
import warnings
from collections import OrderedDict, defaultdict
from copy import deepcopy
from itertools import chain

import torch
from gradtui._agent import holders, optimizers
from gradtui._agent.notes import handle, note, raised
from torch import _engine
from torch._namespace import missing
from torch.utils.hooks import RemovableHandle

__all__ = ["Optimizer", "register_optimizer_step_pre_hook", "register_optimizer_step_post_hook"]

_global_optimizer_pre_hooks = OrderedDict()
_global_optimizer_post_hooks = OrderedDict()


class _RequiredParameter:
    """Marks a setting that each group must give."""

    def __repr__(self):
        return "<required parameter>"


required = _RequiredParameter()


def _attach(hooks, hook, prepend=False):
    handle = RemovableHandle(hooks)
    hooks[handle.id] = hook
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    return handle


def register_optimizer_step_pre_hook(hook):
    """Calls hook(optimizer, args, kwargs) before each step of any optimizer."""
    return _attach(_global_optimizer_pre_hooks, hook)


def register_optimizer_step_post_hook(hook):
    """Calls hook(optimizer, args, kwargs) after each step of any optimizer."""
    return _attach(_global_optimizer_post_hooks, hook)


def _hooks_property(kind):
    name = "_optimizer_%s_hooks" % kind

    def register(self, hook, prepend=False):
        return _attach(getattr(self, name), hook, prepend)

    register.__name__ = "register_%s_hook" % kind
    register.__doc__ = "Registers a %s hook; prepend puts it before the others." % kind.replace("_", " ")
    return register


_HOOKS = (
    "_optimizer_step_pre_hooks",
    "_optimizer_step_post_hooks",
    "_optimizer_state_dict_pre_hooks",
    "_optimizer_state_dict_post_hooks",
    "_optimizer_load_state_dict_pre_hooks",
    "_optimizer_load_state_dict_post_hooks",
)


class Optimizer:
    """Holds groups of parameters (param_groups) and what is known of each (state).

    A subclass gives the settings' defaults and writes step().
    """

    # Whether step() itself tells the tape where the update begins and ends.
    _marks_step = False

    def __init__(self, params, defaults):
        self.defaults = defaults
        for name in _HOOKS:
            setattr(self, name, OrderedDict())
        self._patch_step_function()
        if isinstance(params, torch.Tensor):
            raise TypeError(
                "params argument given to the optimizer should be "
                "an iterable of Tensors or dicts, but got " + torch.typename(params)
            )
        self.state = defaultdict(dict)
        self.param_groups = []
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(group)
        self._warned_capturable_if_run_uncaptured = True

    def __getstate__(self):
        return {name: getattr(self, name) for name in ("defaults", "state", "param_groups")}

    def __setstate__(self, state):
        self.__dict__.update(state)
        for name in _HOOKS:
            self.__dict__.setdefault(name, OrderedDict())
        self._patch_step_function()
        self.defaults.setdefault("differentiable", False)

    def __repr__(self):
        parts = [type(self).__name__ + " ("]
        for i, group in enumerate(self.param_groups):
            parts.append("\nParameter Group %d\n" % i)
            parts.extend(f"    {key}: {group[key]}\n" for key in sorted(group) if key != "params")
        return "".join(parts) + ")"

    # Steps.

    @staticmethod
    def profile_hook_step(func):
        """Wraps a step function so that the hooks are called around it."""

        @functools.wraps(func)
        def wrapper(*args, **kwargs):
            self = args[0]
            if _global_optimizer_pre_hooks or self._optimizer_step_pre_hooks:
                for hook in chain(_global_optimizer_pre_hooks.values(), self._optimizer_step_pre_hooks.values()):
                    result = hook(self, args, kwargs)
                    if result is None:
                        continue
                    if not (isinstance(result, tuple) and len(result) == 2):
                        raise RuntimeError(f"{func} must return None or a tuple of (new_args, new_kwargs), but got {result}.")
                    args, kwargs = result
            if self._marks_step:
                out = func(*args, **kwargs)
            else:
                self._begin_step()
                try:
                    out = func(*args, **kwargs)
                finally:
                    self._end_step()
            self._optimizer_step_code()
            if _global_optimizer_post_hooks or self._optimizer_step_post_hooks:
                for hook in chain(self._optimizer_step_post_hooks.values(), _global_optimizer_post_hooks.values()):
                    hook(self, args, kwargs)
            return out

        return wrapper

    def _optimizer_step_code(self):
        """Is called after each step."""

    def _cuda_graph_capture_health_check(self):
        """There are no CUDA graphs here."""

    def _patch_step_function(self):
        cls = type(self)
        if not getattr(cls.step, "hooked", None):
            cls.step = self.profile_hook_step(cls.step)
            cls.step.hooked = True

    def _begin_step(self):
        """Tells the tape that an update begins; gives the gradients of all parameters in order."""
        params = [p for group in self.param_groups for p in group["params"]]
        facts = [optimizers.number(self), optimizers.rates(self.param_groups)]
        return _engine.call("optim.begin", [type(self).__name__, params] + facts, {})

    def _end_step(self):
        _engine.later("optim.end")
        holders.step()

    def step(self, closure=None):
        """Updates the parameters once; closure recomputes the loss."""
        raise NotImplementedError

    def zero_grad(self, set_to_none=True):
        """Clears the gradients of all parameters: to None or to zero."""
        params = [p for group in self.param_groups for p in group["params"]]
        _engine.call("optim.zero_grad", [type(self).__name__, params, bool(set_to_none)], {})

    def register_step_pre_hook(self, hook):
        """Calls hook(optimizer, args, kwargs) before each step; it may return new (args, kwargs)."""
        return _attach(self._optimizer_step_pre_hooks, hook)

    def register_step_post_hook(self, hook):
        """Calls hook(optimizer, args, kwargs) after each step."""
        return _attach(self._optimizer_step_post_hooks, hook)

    # Saving and loading.

    register_state_dict_pre_hook = _hooks_property("state_dict_pre")
    register_state_dict_post_hook = _hooks_property("state_dict_post")
    register_load_state_dict_pre_hook = _hooks_property("load_state_dict_pre")
    register_load_state_dict_post_hook = _hooks_property("load_state_dict_post")

    def state_dict(self):
        """The state and the settings, with numbers instead of parameters."""
        for hook in self._optimizer_state_dict_pre_hooks.values():
            hook(self)
        number, total = {}, 0
        groups = []
        for group in self.param_groups:
            # A parameter that a group lists twice has the number of its last place.
            number.update({id(p): i for i, p in enumerate(group["params"], total) if id(p) not in number})
            total += len(group["params"])
            packed = {k: v for k, v in group.items() if k != "params"}
            packed["params"] = [number[id(p)] for p in group["params"]]
            groups.append(packed)
        state = {number[id(k)] if isinstance(k, torch.Tensor) else k: v for k, v in self.state.items()}
        result = {"state": state, "param_groups": groups}
        for hook in self._optimizer_state_dict_post_hooks.values():
            changed = hook(self, result)
            if changed is not None:
                result = changed
        return result

    def load_state_dict(self, state_dict):
        """Takes over what state_dict() of such an optimizer gave."""
        state_dict = state_dict.copy()
        for hook in self._optimizer_load_state_dict_pre_hooks.values():
            changed = hook(self, state_dict)
            if changed is not None:
                state_dict = changed
        groups = self.param_groups
        saved = deepcopy(state_dict["param_groups"])
        if len(groups) != len(saved):
            raise ValueError("loaded state dict has a different number of parameter groups")
        if any(len(g["params"]) != len(s["params"]) for g, s in zip(groups, saved)):
            raise ValueError("loaded state dict contains a parameter group that doesn't match the size of optimizer's group")
        param_of = {}
        for group, loaded in zip(groups, saved):
            param_of.update(zip(loaded["params"], group["params"]))
        state = defaultdict(dict)
        for key, value in state_dict["state"].items():
            if key in param_of:
                param = param_of[key]
                state[param] = self._cast_state(param, value, key, state_dict["param_groups"])
            else:
                state[key] = value
        for group, loaded in zip(groups, saved):
            loaded["params"] = group["params"]
            if "param_names" in group:
                loaded.setdefault("param_names", group["param_names"])
        self.__setstate__({"state": state, "param_groups": saved})
        for hook in self._optimizer_load_state_dict_post_hooks.values():
            hook(self)

    @staticmethod
    def _process_value_according_to_param_policy(param, value, param_id, param_groups, key=None):
        """Gives a state tensor the dtype of its parameter; the count of steps keeps its own."""
        if key == "step":
            for group in param_groups:
                if param_id in group["params"]:
                    if group.get("fused", False) or group.get("capturable", False):
                        return value.to(dtype=torch.float32, device=param.device)
                    break
            return value
        if param.is_floating_point():
            return value.to(dtype=param.dtype, device=param.device)
        return value.to(device=param.device)

    @staticmethod
    def _cast_state(param, value, param_id, groups, key=None):
        if isinstance(value, torch.Tensor):
            return Optimizer._process_value_according_to_param_policy(param, value, param_id, groups, key)
        if isinstance(value, dict):
            return {k: Optimizer._cast_state(param, v, param_id, groups, k) for k, v in value.items()}
        if hasattr(value, "__iter__"):
            return type(value)(Optimizer._cast_state(param, v, param_id, groups) for v in value)
        return value

    # Groups.

    def add_param_group(self, param_group):
        """Adds a dict with "params" and settings that differ from the defaults."""
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        params = param_group["params"]
        if isinstance(params, torch.Tensor):
            params = [params]
        elif isinstance(params, set):
            raise TypeError(
                "optimizer parameters need to be organized in ordered collections, but "
                "the ordering of tensors in sets will change between runs. Please use a list instead."
            )
        params = list(params)
        names = [p[0] for p in params if isinstance(p, tuple)]
        param_group["params"] = params = [p[1] if isinstance(p, tuple) else p for p in params]
        if names:
            if len(names) != len(params):
                raise ValueError("all optimizer params should be with/without names. Some param names are missing")
            param_group["param_names"] = names
        non_leaf_allowed = self.defaults.get("differentiable", None)
        for p in params:
            if not isinstance(p, torch.Tensor):
                raise TypeError("optimizer can only optimize Tensors, but one of the params is " + torch.typename(p))
            if not non_leaf_allowed and not (p.is_leaf or p.retains_grad):
                raise raised(ValueError("can't optimize a non-leaf Tensor"), p)
        for name, default in self.defaults.items():
            if default is required and name not in param_group:
                raise ValueError(f"parameter group didn't specify a value of required optimization parameter {name}")
            param_group.setdefault(name, default)
        if len(params) != len(set(params)):
            warnings.warn(
                "optimizer contains a parameter group with duplicate parameters; "
                "in future, this will cause an error; "
                "see github.com/pytorch/pytorch/issues/40967 for more information",
                stacklevel=3,
            )
        others = set()
        for group in self.param_groups:
            others.update(group["params"])
            if ("param_names" in param_group) != ("param_names" in group):
                with_names = "with names" if "param_names" in param_group else "without names"
                raise ValueError(
                    "all optimizer param groups should be with/without names. "
                    f"cannot add param group {with_names} to the optimizer"
                )
        if not others.isdisjoint(params):
            raise ValueError("some parameters appear in more than one parameter group")
        self.param_groups.append(param_group)
        facts = optimizers.number(self), optimizers.rates([param_group]), optimizers.settings(param_group)
        note("optimizer", type(self).__name__, [handle(p) for p in params], *facts)


__getattr__ = missing(__name__)
