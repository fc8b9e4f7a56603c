"""Forward mode: dual numbers."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import torch
import torch.autograd.forward_ad as fw
from torch import nn
from torch.autograd import Function

from kit import case, leaf, meta, name, raised, tree

ones, arange = torch.ones, torch.arange


def dual(primal: torch.Tensor, tangent: torch.Tensor) -> torch.Tensor:
    return fw.make_dual(primal, tangent)


def unpacked(t: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor | None]:
    primal, tangent = fw.unpack_dual(t)
    return primal.detach(), tangent


def level(f: Callable[[], Any]) -> Callable[[], Any]:
    def inside() -> Any:
        with fw.dual_level():
            return f()

    return inside


@case
def making_and_unpacking() -> Any:
    x = leaf()
    with fw.dual_level():
        d = dual(x, ones(3))
        p, t = fw.unpack_dual(d)
        seen = [d, p.detach(), t, meta(d), p._is_view()]
        y = d * 2
    return seen + [fw.unpack_dual(y).tangent]


@case
def wrong_duals() -> Any:
    def nested() -> None:
        with fw.dual_level():
            pass

    integers = ones(3, dtype=torch.int64)
    return [
        raised(lambda: dual(ones(3), ones(3))),
        raised(level(nested)),
        raised(level(lambda: dual(integers, ones(3)))),
        raised(level(lambda: dual(ones(3), integers))),
        raised(level(lambda: dual(ones(3), ones(2)))),
        raised(level(lambda: dual(dual(ones(3), ones(3)), ones(3)))),
        raised(level(lambda: dual(ones(3), dual(ones(3), ones(3))))),
    ]


@case
def operators() -> Any:
    with fw.dual_level():
        d = dual(torch.tensor([1.0, 2.0, 3.0]), torch.tensor([1.0, 10.0, 100.0]))
        return [
            unpacked(t)[1]
            for t in (d * d, d + 1, d.sum(), d.exp(), d[1], d.view(3, 1), d / 2, d**2)
        ]


@case
def tangents_that_are_dropped_or_kept() -> Any:
    with fw.dual_level():
        d = dual(ones(3), arange(3.0))
        ways: list[Callable[[torch.Tensor], torch.Tensor]] = [
            lambda t: t.detach(),
            lambda t: t.data,
            lambda t: t.clone(),
            lambda t: t.double(),
            lambda t: t.float(),
            lambda t: nn.Parameter(t),
            copy.deepcopy,
        ]
        seen = [unpacked(f(d))[1] for f in ways]
        with torch.no_grad():
            seen.append(unpacked(d * 2)[1])
        with torch.inference_mode():
            y = d * 2
        return [*seen, unpacked(y)[1], unpacked(d > 0.5)[1]]


@case
def changes_in_place() -> Any:
    with fw.dual_level():
        d = dual(ones(3), arange(3.0))
        b = ones(3)
        b.mul_(d)
        t = fw.unpack_dual(b).tangent
        b.mul_(2)
        same = fw.unpack_dual(b).tangent is t
        c = ones(3)
        c.copy_(d)
        d.zero_()
        return same, unpacked(b), unpacked(c), unpacked(d)


@case
def changes_of_views() -> Any:
    with fw.dual_level():
        b = torch.zeros(3)
        v = b[0]
        v.mul_(3)
        v.add_(dual(torch.tensor(2.0), torch.tensor(5.0)))
        seen = [unpacked(t) for t in (b, v, b[1])]
        b = dual(ones(3), arange(3.0))
        v = b[1]
        v.mul_(3)
        seen += [unpacked(t) for t in (b, v)]
        y = dual(ones(3), arange(3.0)) * 1
        v = y[1]
        v.zero_()
        y.add_(1)
        return seen + [unpacked(t) for t in (y, v)]


@case
def forward_over_reverse() -> Any:
    x = leaf(1.0, 2.0)
    seen = []
    with fw.dual_level():
        d = dual(x, torch.tensor([1.0, 0.0]))
        y = (d.exp() * d).sum()
        (g,) = torch.autograd.grad(y, x)
        seen.append(unpacked(g))
        z = (d**3).sum()
        z.backward()
        seen.append(unpacked(x.grad))
        w = (d * d * d).sum()
        (h,) = torch.autograd.grad(w, x)
        seen.append(unpacked(h))
    return seen


@case
def reverse_over_forward() -> Any:
    x = leaf(1.0, 2.0)
    with fw.dual_level():
        d = dual(x, torch.tensor([1.0, 10.0]))
        t = fw.unpack_dual(d * d * d).tangent
    return t.detach(), t.requires_grad, torch.autograd.grad(t.sum(), x)


@case
def jvp() -> Any:
    f = torch.func.jvp
    x = torch.tensor([1.0, 2.0])
    return [
        f(lambda x: x**2, (x,), (ones(2),)),
        f(lambda x: ones(2), (x,), (ones(2),)),
        f(lambda x, y: (x * y, x + y), (x, x + 1), (ones(2), arange(2.0))),
    ]


def of(forward: Any, derivative: Any = None) -> Any:
    body = {"forward": staticmethod(forward)}
    if derivative is not None:
        body["jvp"] = staticmethod(derivative)
    return type("Fn", (Function,), body).apply


@case
def functions() -> Any:
    def forward(ctx: Any, x: torch.Tensor, k: int) -> torch.Tensor:
        ctx.k = k
        ctx.save_for_forward(x)
        return x * x * k

    def derivative(ctx: Any, t: torch.Tensor, k: None) -> torch.Tensor:
        (x,) = ctx.saved_tensors
        return 2 * x * t * ctx.k

    def nothing(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        y = x > 0
        ctx.mark_non_differentiable(y)
        return y

    def add_one(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        x.add_(1)
        ctx.mark_dirty(x)
        return x

    d = torch.tensor([1.0, 10.0])

    def run(f: Any, *more: Any) -> Any:
        return raised(level(lambda: unpacked(f(dual(ones(2), d.clone()), *more))))

    return [
        run(of(forward, derivative), 3),
        run(of(lambda ctx, x: x * 2)),
        run(of(lambda ctx, x: (x * 2, x * 3), lambda ctx, t: t)),
        run(of(lambda ctx, x: x * 2, lambda ctx, t: ones(5))),
        run(of(nothing, lambda ctx, t: t)),
        run(of(lambda ctx, x: x, lambda ctx, t: t)),
        run(of(lambda ctx, x: x, lambda ctx, t: t.view_as(t))),
        run(of(add_one, lambda ctx, t: t * 2)),
        run(of(add_one, lambda ctx, t: t.mul_(2))),
        run(of(add_one, lambda ctx, t: t.mul_(2) * 1)),
    ]


@case
def arguments_without_tangent() -> Any:
    seen: list[Any] = []

    def derivative(ctx: Any, a: Any, b: Any) -> Any:
        seen.append((a, b))
        return a

    def bare(ctx: Any, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        ctx.set_materialize_grads(False)
        return x * y

    with fw.dual_level():
        d = dual(ones(2), arange(2.0))
        of(lambda ctx, x, y: x * y, derivative)(d, ones(2))
        of(bare, derivative)(d, ones(2))
        of(bare, derivative)(ones(2), ones(2))
    return seen


@case
def nodes_of_duals() -> Any:
    x = leaf()
    with fw.dual_level():
        d = dual(x, ones(3))
        return name(d.grad_fn), tree((d * 2).grad_fn)


@case
def operators_without_forward_mode() -> Any:
    x, index = ones(3), torch.tensor([0, 1, 2])
    with fw.dual_level():
        d = [dual(ones(3), ones(3)) for _ in range(10)]
        return [
            raised(lambda: d[0].nextafter(x)),
            raised(lambda: d[1].nextafter_(x)),
            raised(lambda: d[2].asinh_()),
            raised(lambda: d[3].index_reduce_(0, index, x, "prod")),
            raised(lambda: d[4].heaviside(x)),
            raised(lambda: d[5].heaviside_(x)),
            raised(lambda: torch.aminmax(d[6])),
            raised(lambda: d[7].unique()),
            raised(lambda: d[8].unique_consecutive()),
            raised(lambda: torch.rrelu_(d[9])),
        ]
