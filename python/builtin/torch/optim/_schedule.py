"""What all schedules of the learning rate share."""

import warnings
from functools import wraps
from weakref import ref

import torch
from gradtui._agent import optimizers
from gradtui._agent.notes import handle, note

from .optimizer import Optimizer

_HELP = "See more details at https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate"

EPOCH_DEPRECATION_WARNING = (
    "The epoch parameter in `scheduler.step()` was not necessary and is being "
    "deprecated where possible. Please use `scheduler.step()` to step the "
    "scheduler. During the deprecation, if epoch is different from None, the "
    "closed form is used instead of the new chainable form, where available. "
    "Please open an issue if you are unable to replicate your use case: "
    "https://github.com/pytorch/pytorch/issues/new/choose."
)


def _check_verbose_deprecated_warning(verbose):
    if verbose == "deprecated":
        return False
    warnings.warn(
        "The verbose parameter is deprecated. Please use get_last_lr() to access the learning rate.", UserWarning
    )
    return verbose


def _require_optimizer(optimizer):
    if not isinstance(optimizer, Optimizer):
        raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")


def _format_param(name, optimizer, param):
    """One value for each group."""
    groups = len(optimizer.param_groups)
    if not isinstance(param, (list, tuple)):
        param = [param] * groups
    elif len(param) != groups:
        raise ValueError(
            f"{name} must have the same length as optimizer.param_groups. "
            f"{name} has {len(param)} values, param_groups has {groups}."
        )
    return [p.clone() if isinstance(p, torch.Tensor) else p for p in param]


def _set_lr(group, lr):
    if isinstance(group["lr"], torch.Tensor):
        group["lr"].fill_(lr)
    else:
        group["lr"] = lr


class _enable_get_lr_call:
    """get_lr() is called by step(), not by the program."""

    def __init__(self, scheduler):
        self.scheduler = scheduler

    def __enter__(self):
        self.scheduler._get_lr_called_within_step = True
        return self

    def __exit__(self, type, value, traceback):
        self.scheduler._get_lr_called_within_step = False


def _warn_get_lr_called_within_step(scheduler):
    if not scheduler._get_lr_called_within_step:
        warnings.warn(
            "To get the last learning rate computed by the scheduler, please use `get_last_lr()`.",
            UserWarning,
            stacklevel=2,
        )


class LRScheduler:
    """Changes the learning rate of an optimizer's groups at each step().

    A subclass writes get_lr(), the rates for the epoch last_epoch, from the
    rates as they are.
    """

    _get_lr_called_within_step = False

    def __init__(self, optimizer, last_epoch=-1, verbose="deprecated"):
        _require_optimizer(optimizer)
        self.optimizer = optimizer
        for i, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                lr = group["lr"]
                group.setdefault("initial_lr", lr.clone() if isinstance(lr, torch.Tensor) else lr)
            elif "initial_lr" not in group:
                raise KeyError(f"param 'initial_lr' is not specified in param_groups[{i}] when resuming an optimizer")
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self.last_epoch = last_epoch
        self._watch_step(optimizer)
        self.verbose = _check_verbose_deprecated_warning(verbose)
        self._initial_step()

    @staticmethod
    def _watch_step(optimizer):
        """Lets the optimizer note that its step() was called."""
        if hasattr(optimizer.step, "_wrapped_by_lr_sched"):
            return
        owner = ref(optimizer)
        func = optimizer.step.__func__

        @wraps(func)
        def wrapper(*args, **kwargs):
            opt = owner()
            opt._opt_called = True
            return func.__get__(opt, type(opt))(*args, **kwargs)

        wrapper._wrapped_by_lr_sched = True
        optimizer.step = wrapper

    def _initial_step(self):
        self._step_count = 0
        self.step()

    def state_dict(self):
        """All attributes but the optimizer."""
        return {key: value for key, value in self.__dict__.items() if key != "optimizer"}

    def load_state_dict(self, state_dict):
        """Takes over what state_dict() gave."""
        self.__dict__.update(state_dict)

    def get_last_lr(self):
        """The rates that the last step set."""
        return self._last_lr

    def get_lr(self):
        """Computes the rates of all groups."""
        raise NotImplementedError

    def print_lr(self, is_verbose, group, lr, epoch=None):
        """Prints the rate of a group."""
        warnings.warn(
            "`LRScheduler.print_lr()` is being deprecated. To fetch the learning rate, please use `get_last_lr()` "
            "instead. For more details, see https://github.com/pytorch/pytorch/issues/99270.",
            UserWarning,
        )
        if not is_verbose:
            return
        if epoch is None:
            print(f"Adjusting learning rate of group {group} to {lr:.4e}.")
        else:
            shown = ("%.2f" if isinstance(epoch, float) else "%.5d") % epoch
            print(f"Epoch {shown}: adjusting learning rate of group {group} to {lr:.4e}.")

    def step(self, epoch=None):
        """Goes to the next epoch, or to a given one, and sets the rates."""
        made = self._step_count == 0
        params = [handle(p) for group in self.optimizer.param_groups for p in group["params"]]
        note("scheduler", "LRScheduler" if made else "LRScheduler.step", params, optimizers.plan(self, made))
        if self._step_count == 1:
            self._check_order()
        self._step_count += 1
        with _enable_get_lr_call(self):
            if epoch is None:
                self.last_epoch += 1
                values = self.get_lr()
            else:
                warnings.warn(EPOCH_DEPRECATION_WARNING, UserWarning)
                self.last_epoch = epoch
                closed = getattr(self, "_get_closed_form_lr", None)
                values = closed() if closed else self.get_lr()
        for group, lr in zip(self.optimizer.param_groups, values):
            _set_lr(group, lr)
        self._last_lr = self._lrs()

    def _check_order(self):
        if not hasattr(self.optimizer.step, "_wrapped_by_lr_sched"):
            warnings.warn(
                "Seems like `optimizer.step()` has been overridden after learning rate scheduler "
                "initialization. Please, make sure to call `optimizer.step()` before "
                "`lr_scheduler.step()`. " + _HELP,
                UserWarning,
            )
        elif not getattr(self.optimizer, "_opt_called", False):
            warnings.warn(
                "Detected call of `lr_scheduler.step()` before `optimizer.step()`. "
                "In PyTorch 1.1.0 and later, you should call them in the opposite order: "
                "`optimizer.step()` before `lr_scheduler.step()`.  Failure to do this "
                "will result in PyTorch skipping the first value of the learning rate schedule. " + _HELP,
                UserWarning,
            )

    def _lrs(self):
        return [group["lr"] for group in self.optimizer.param_groups]

    def _scaled(self, factor):
        return [group["lr"] * factor for group in self.optimizer.param_groups]
