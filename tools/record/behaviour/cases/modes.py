"""Grad mode, inference mode, anomaly mode."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from kit import case, leaf, meta, raised, scalar, tree


@case
def no_grad() -> Any:
    x = leaf(1.0, 1.0)
    seen: list[Any] = []
    with torch.no_grad():
        seen += [meta(x * 2), meta(x[0]), meta(torch.ones(2, requires_grad=True))]
        seen += [meta(x.clone()), meta(nn.Parameter(torch.ones(1)))]
        with torch.enable_grad():
            seen.append(meta(x * 2))
        seen.append(torch.is_grad_enabled())
        x.add_(1)
        seen.append(meta(x))
    return seen + [torch.is_grad_enabled()]


@case
def set_grad_enabled() -> Any:
    torch.set_grad_enabled(False)
    off = torch.is_grad_enabled()
    torch.set_grad_enabled(True)
    return off, torch.is_grad_enabled()


@case
def backward_under_no_grad() -> Any:
    x = leaf(1.0)
    y = x * 2
    with torch.no_grad():
        y.backward()
    return x.grad, meta(x.grad)


@case
def views_under_no_grad() -> Any:
    x = leaf()
    with torch.no_grad():
        v = x[0]
    seen = [v, meta(v), tree((v * 2).grad_fn)]
    (v * 2).backward()
    return seen + [x.grad, v.grad, raised(lambda: v.requires_grad_(False)), meta(v)]


@case
def view_under_no_grad_as_input() -> Any:
    x = leaf()
    with torch.no_grad():
        v = x[0]
    return raised(lambda: torch.autograd.grad((v * 2).sum(), v))


@case
def inference_mode() -> Any:
    x = leaf(1.0, 1.0)
    with torch.inference_mode():
        y = x * 2
        seen: list[Any] = [torch.is_grad_enabled(), torch.is_inference_mode_enabled()]
        seen += [meta(y), meta(torch.ones(2, requires_grad=True)), meta(x[0])]
        x.add_(1)
        seen.append(meta(x))
        y.add_(1)
    return seen + [meta(y), y, y[0].is_inference(), y.clone().is_inference()]


@case
def inference_tensors_outside() -> Any:
    x = leaf(1.0, 1.0)
    with torch.inference_mode():
        y = torch.ones(2)
    return [
        raised(lambda: y._version),
        raised(lambda: x * y),
        raised(lambda: x + y),
        raised(lambda: y.add_(1)),
        raised(lambda: y.requires_grad_()),
        raised(lambda: y.requires_grad_(False)),
        raised(lambda: x * y.clone()),
        raised(lambda: y.mul_(x)),
        raised(lambda: (y * 2).is_inference()),
        raised(lambda: y.view(2, 1).is_inference()),
    ]


@case
def inference_mode_and_grad_mode() -> Any:
    x = leaf()
    seen: list[Any] = []
    with torch.inference_mode():
        with torch.enable_grad():
            seen += [torch.is_grad_enabled(), meta(x * 2)]
        with torch.inference_mode(False):
            seen += [torch.is_grad_enabled(), meta(x * 2)]
    return seen


@case
def inference_views_of_normal_tensors() -> Any:
    x = leaf()
    y = x * 1
    with torch.inference_mode():
        v = y[0]
        w = y.view(3)
    return meta(v), raised(lambda: v.add_(1)), raised(lambda: w.mul_(2)), meta(y)


@case
def backward_in_inference_mode() -> Any:
    x = leaf(1.0)
    y = x * 2
    with torch.inference_mode():
        y.backward()
    return x.grad, meta(x.grad)


@case
def anomaly_finds_nan() -> Any:
    torch.autograd.set_detect_anomaly(True, check_nan=True)
    x = scalar(0.0)
    y = torch.sqrt(x) * 0
    return raised(y.backward), x.grad


@case
def anomaly_without_nan_check() -> Any:
    torch.autograd.set_detect_anomaly(True, check_nan=False)
    x = scalar(0.0)
    y = torch.sqrt(x) * 0
    y.backward()
    return x.grad


@case
def anomaly_hint() -> Any:
    torch.autograd.set_detect_anomaly(True)
    x = leaf()
    z = x * x
    with torch.no_grad():
        x.add_(1)
    return raised(z.sum().backward)


@case
def anomaly_for_nodes_made_before() -> Any:
    x = scalar(0.0)
    y = torch.sqrt(x) * 0
    torch.autograd.set_detect_anomaly(True)
    return raised(y.backward)


@case
def anomaly_in_a_hook() -> Any:
    torch.autograd.set_detect_anomaly(True)
    x = leaf(1.0)
    y = x * 2
    y.register_hook(lambda g: torch.ones(5))
    return raised((y * 3).backward)


@case
def anomaly_in_double_backward() -> Any:
    torch.autograd.set_detect_anomaly(True)
    x = scalar(2.0)
    (g,) = torch.autograd.grad(x**3, x, create_graph=True)
    with torch.no_grad():
        x.add_(1)
    return raised(g.backward)
