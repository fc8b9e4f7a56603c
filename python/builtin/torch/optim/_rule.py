"""What the optimizers share that update each parameter by a rule of its own gradient."""

import torch
from torch._engine import call
from torch.autograd.grad_mode import enter_mode, leave_mode

from .optimizer import Optimizer

_NAMES = {"lr": "learning rate", "eps": "epsilon value"}


def check(**settings):
    """Refuses settings that are out of range, in the order in which they are given."""
    for name, value in settings.items():
        if name == "betas":
            for i in (0, 1):
                if not 0.0 <= value[i] < 1.0:
                    raise ValueError(f"Invalid beta parameter at index {i}: {value[i]}")
        elif name == "rho":
            if not 0.0 <= value <= 1.0:
                raise ValueError(f"Invalid rho value: {value}")
        elif not 0.0 <= value:
            raise ValueError(f"Invalid {_NAMES.get(name, name + ' value')}: {value}")


def check_scalar(lr):
    """Refuses a learning rate that is a tensor of several elements."""
    if isinstance(lr, torch.Tensor) and lr.numel() != 1:
        raise ValueError("Tensor lr must be 1-element")


def number(value):
    """The value of a tensor of one element, or the number itself."""
    return value.item() if isinstance(value, torch.Tensor) else value


def scalar(value, fused=False):
    """A state tensor that counts: float64 where that is the default dtype."""
    wide = not fused and torch.get_default_dtype() == torch.float64
    return torch.tensor(value, dtype=torch.float64 if wide else torch.float32)


def each(method, *args, **kwargs):
    """Calls a method for the elements of lists, in one message; gives the results, None for in-place ones."""
    return call("optim.each", [method, *args], kwargs)


def different(tensors):
    """Whether no tensor is there twice."""
    return len(set(tensors)) == len(tensors)


class Rule(Optimizer):
    """An optimizer whose step updates one parameter after the other.

    A subclass writes _start, which makes the state of a parameter that has none,
    and _update, which changes one parameter.
    """

    _marks_step = True
    # Settings that state dicts of older versions lack.
    _newer = {"maximize": False, "foreach": None, "differentiable": False, "capturable": False}
    # State that older versions kept as numbers.
    _counters = ("step",)
    # What the message about capturable=True names.
    _captured = "params and state_steps"
    _capturable_devices = ["cuda", "xpu", "hpu", "privateuseone", "xla"]

    def __setstate__(self, state):
        super().__setstate__(state)
        for group in self.param_groups:
            for name, value in self._newer.items():
                group.setdefault(name, value)
            for p in group["params"]:
                known = self.state.get(p, {})
                for name in self._counters:
                    if name in known and not isinstance(known[name], torch.Tensor):
                        known[name] = scalar(float(known[name]), group.get("fused"))

    def _finish_init(self, fused, foreach, differentiable):
        """The checks of fused=, which come after the groups were made."""
        if not fused:
            return
        if differentiable:
            raise RuntimeError("`fused` does not support `differentiable`")
        if foreach:
            raise RuntimeError("`fused` and `foreach` cannot be `True` together.")

    def step(self, closure=None):
        """Updates the parameters that have gradients; gives the loss of closure, if there is one."""
        block = enter_mode(self.defaults.get("differentiable", False))
        try:
            loss = None
            if closure is not None:
                with torch.enable_grad():
                    loss = closure()
            grads = iter(self._begin_step())
            try:
                for group in self.param_groups:
                    pairs = [(p, g) for p, g in zip(group["params"], grads) if g is not None]
                    self._apply(group, pairs)
            finally:
                self._end_step()
        finally:
            leave_mode(block)
        return loss

    def _apply(self, group, pairs):
        states = []
        for p, grad in pairs:
            if group.get("fused") and not p.is_floating_point():
                raise RuntimeError(
                    "`fused=True` requires all the params to be floating point Tensors of "
                    f"supported devices: ['mps', 'cuda', 'xpu', 'hpu', 'cpu', 'privateuseone'] but {p.dtype} and cpu"
                )
            state = self.state[p]
            if not state:
                self._start(group, p, grad, state)
            self._look(group, state)
            states.append(state)
        if pairs and group.get("capturable"):
            raise AssertionError(
                f"If capturable=True, {self._captured} must be on supported devices: {self._capturable_devices}."
            )
        if len(pairs) > 1 and self._update_together(group, pairs, states):
            return
        maximize = group["maximize"]
        update = self._update
        for (p, grad), state in zip(pairs, states):
            update(group, p, -grad if maximize else grad, state)

    def _look(self, group, state):
        """Refuses a state that does not go with the settings."""

    def _update_together(self, group, pairs, states):
        """Updates all parameters at once, if the rule knows how; says whether it did."""
        return False

    def _start(self, group, p, grad, state):
        raise NotImplementedError

    def _update(self, group, p, grad, state):
        raise NotImplementedError
