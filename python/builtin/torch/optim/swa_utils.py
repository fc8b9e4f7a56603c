"""Averages of a model's weights over the course of training."""

import itertools
import math
import warnings
from copy import deepcopy

import torch
from torch.nn import Module

from ._schedule import LRScheduler, _format_param

__all__ = [
    "AveragedModel",
    "update_bn",
    "SWALR",
    "get_ema_multi_avg_fn",
    "get_swa_multi_avg_fn",
    "get_ema_avg_fn",
    "get_swa_avg_fn",
]


def _check_decay(decay):
    if decay < 0.0 or decay > 1.0:
        raise ValueError(f"Invalid decay value {decay} provided. Please provide a value in [0,1] range.")


def get_ema_multi_avg_fn(decay=0.999):
    """An exponential moving average of lists of parameters."""
    _check_decay(decay)

    @torch.no_grad()
    def ema_update(ema_param_list, current_param_list, _):
        for average, current in zip(ema_param_list, current_param_list):
            if ema_param_list[0].is_floating_point():
                average.lerp_(current, 1 - decay)
            else:
                average.copy_(average * decay + current * (1 - decay))

    return ema_update


def get_swa_multi_avg_fn():
    """The mean of all lists of parameters so far."""

    @torch.no_grad()
    def swa_update(averaged_param_list, current_param_list, num_averaged):
        weight = 1 / (num_averaged + 1)
        if isinstance(weight, torch.Tensor):
            weight = weight.item()
        for average, current in zip(averaged_param_list, current_param_list):
            if averaged_param_list[0].is_floating_point():
                average.lerp_(current, weight)
            elif isinstance(num_averaged, torch.Tensor):
                average.addcdiv_(current - average, num_averaged + 1)
            else:
                average.add_(current - average, alpha=1.0 / (num_averaged + 1))

    return swa_update


def get_ema_avg_fn(decay=0.999):
    """An exponential moving average of one parameter."""
    _check_decay(decay)

    @torch.no_grad()
    def ema_update(ema_param, current_param, num_averaged):
        return decay * ema_param + (1 - decay) * current_param

    return ema_update


def get_swa_avg_fn():
    """The mean of one parameter so far."""

    @torch.no_grad()
    def swa_update(averaged_param, current_param, num_averaged):
        return averaged_param + (current_param - averaged_param) / (num_averaged + 1)

    return swa_update


class AveragedModel(Module):
    """A copy of a model (module) with averages of its parameters; n_averaged counts the updates."""

    def __init__(self, model, device=None, avg_fn=None, multi_avg_fn=None, use_buffers=False):
        super().__init__()
        assert avg_fn is None or multi_avg_fn is None, "Only one of avg_fn and multi_avg_fn should be provided"
        self.module = deepcopy(model)
        if device is not None:
            self.module = self.module.to(device)
        self.register_buffer("n_averaged", torch.tensor(0, dtype=torch.long, device=device))
        self.avg_fn = avg_fn
        self.multi_avg_fn = multi_avg_fn
        self.use_buffers = use_buffers

    def forward(self, *args, **kwargs):
        """Calls the averaged model."""
        return self.module(*args, **kwargs)

    def update_parameters(self, model):
        """Takes the parameters of model into the averages."""
        mine, theirs = self.parameters(), model.parameters()
        if self.use_buffers:
            mine = itertools.chain(self.module.parameters(), self.module.buffers())
            theirs = itertools.chain(model.parameters(), model.buffers())
        pairs = [(average.detach(), current.detach()) for average, current in zip(mine, theirs)]
        if self.n_averaged == 0:
            for average, current in pairs:
                average.copy_(current)
        elif self.multi_avg_fn is not None:
            by_dtype = {}
            for average, current in pairs:
                averages, currents = by_dtype.setdefault(average.dtype, ([], []))
                averages.append(average)
                currents.append(current)
            for averages, currents in by_dtype.values():
                self.multi_avg_fn(averages, currents, self.n_averaged)
        else:
            update = self.avg_fn or get_swa_avg_fn()
            for average, current in pairs:
                average.copy_(update(average, current, self.n_averaged))
        if not self.use_buffers:
            for average, current in zip(self.module.buffers(), model.buffers()):
                average.detach().copy_(current.detach())
        self.n_averaged += 1


@torch.no_grad()
def update_bn(loader, model, device=None):
    """Recomputes the running statistics of all batch norms in one pass through loader."""
    momenta = {}
    for module in model.modules():
        if isinstance(module, torch.nn.modules.batchnorm._BatchNorm):
            module.reset_running_stats()
            momenta[module] = module.momentum
    if not momenta:
        return
    was_training = model.training
    model.train()
    for module in momenta:
        module.momentum = None
    for batch in loader:
        if isinstance(batch, (list, tuple)):
            batch = batch[0]
        if device is not None:
            batch = batch.to(device)
        model(batch)
    for module, momentum in momenta.items():
        module.momentum = momentum
    model.train(was_training)


class SWALR(LRScheduler):
    """Goes from the rates as they are to swa_lr in anneal_epochs epochs, and stays there."""

    def __init__(self, optimizer, swa_lr, anneal_epochs=10, anneal_strategy="cos", last_epoch=-1):
        swa_lrs = _format_param("swa_lr", optimizer, swa_lr)
        for swa_lr, group in zip(swa_lrs, optimizer.param_groups):
            group["swa_lr"] = swa_lr
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"anneal_strategy must by one of 'cos' or 'linear', instead got {anneal_strategy}")
        self.anneal_func = self._cosine_anneal if anneal_strategy == "cos" else self._linear_anneal
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise ValueError(f"anneal_epochs must be equal or greater than 0, got {anneal_epochs}")
        self.anneal_epochs = anneal_epochs
        super().__init__(optimizer, last_epoch)

    @staticmethod
    def _linear_anneal(t):
        return t

    @staticmethod
    def _cosine_anneal(t):
        return (1 - math.cos(math.pi * t)) / 2

    def get_lr(self):
        if not self._get_lr_called_within_step:
            warnings.warn(
                "To get the last learning rate computed by the scheduler, please use `get_last_lr()`.", UserWarning
            )
        step = self._step_count - 1
        if self.anneal_epochs == 0:
            step = max(1, step)
        length = max(1, self.anneal_epochs)
        before = self.anneal_func(max(0, min(1, (step - 1) / length)))
        now = self.anneal_func(max(0, min(1, step / length)))
        lrs = []
        for group in self.optimizer.param_groups:
            lr, target = group["lr"], group["swa_lr"]
            start = target if before == 1 else (lr - before * target) / (1 - before)
            lrs.append(target * now + start * (1 - now))
        return lrs
