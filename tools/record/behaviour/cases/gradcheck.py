"""torch.autograd.gradcheck and gradgradcheck."""

from __future__ import annotations

from typing import Any

import torch
from torch.autograd import gradcheck, gradgradcheck

from cases.functions import function
from kit import case, raised


def point(*values: float) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.float64, requires_grad=True)


def square(backward: Any, **more: Any) -> Any:
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(x)
        ctx.set_materialize_grads(False)
        return x * x

    return function(forward, backward, **more)


def slope(ctx: Any) -> torch.Tensor:
    return 2 * ctx.saved_tensors[0]


@case
def right_derivatives() -> Any:
    x, w = point(0.5, -1.25), point(2.5)
    grads = torch.tensor([0.5, 0.25], dtype=torch.float64, requires_grad=True)
    return [
        gradcheck(torch.sin, (x,)),
        gradcheck(torch.sin, (x,), check_forward_ad=True),
        gradcheck(lambda a, b: (a * b, a + b), (x, w), eps=1e-4, atol=1e-3, rtol=1e-2),
        gradcheck(lambda a, b: a * b, (x, w.detach())),
        gradgradcheck(torch.sin, (x,)),
        gradgradcheck(torch.sin, (x,), grad_outputs=(grads,)),
        gradgradcheck(torch.sin, (x,), check_fwd_over_rev=True),
        gradgradcheck(
            torch.sin,
            (x,),
            check_fwd_over_rev=True,
            check_rev_over_rev=False,
            check_undefined_grad=False,
        ),
        x.grad,
    ]


@case
def wrong_derivatives() -> Any:
    x = point(0.5, -1.25)
    half = square(lambda ctx, g: None if g is None else g * slope(ctx) / 2)
    constant = square(lambda ctx, g: None if g is None else g * slope(ctx).detach())
    forward = square(
        lambda ctx, g: None if g is None else g * slope(ctx), jvp=lambda ctx, t: t * 3
    )
    only_forward = {
        "check_forward_ad": True,
        "check_backward_ad": False,
        "check_undefined_grad": False,
    }
    ones = torch.ones(2, dtype=torch.float64, requires_grad=True)
    return [
        raised(lambda: gradcheck(half, (x,))),
        raised(lambda: gradcheck(lambda a: (a * 2, half(a)), (x,))),
        raised(lambda: gradcheck(lambda a, b: a * half(b), (x, point(0.5, 0.75)))),
        raised(lambda: gradcheck(forward, (x,), check_forward_ad=True)),
        raised(lambda: gradcheck(forward, (x,), **only_forward)),
        gradcheck(constant, (x,)),
        raised(lambda: gradgradcheck(constant, (x,), ones)),
    ]


@case
def what_gradcheck_refuses() -> Any:
    x = point(0.5, -1.25)
    return [
        raised(lambda: gradcheck(torch.sin, (x.detach(),))),
        raised(lambda: gradcheck(torch.sin, (point(0.5).expand(3),))),
        raised(lambda: gradcheck(lambda a: a.detach() * 2, (x,))),
        raised(lambda: gradcheck(lambda a: torch.ones(2), (x,))),
        raised(lambda: gradcheck(torch.heaviside, (x, x))),
    ]


@case
def single_precision() -> Any:
    x = torch.tensor([0.5, -1.25], requires_grad=True)
    return gradcheck(lambda a: a * 2, (x,), eps=0.25)


@case
def backward_that_ignores_its_argument() -> Any:
    ones = torch.ones(2, dtype=torch.float64)
    total = function(lambda ctx, x: x.sum(), lambda ctx, g: ones)
    return raised(lambda: gradcheck(total, (point(0.5, -1.25),)))


@case
def backward_that_changes_its_mind() -> Any:
    calls: list[int] = []

    def backward(ctx: Any, g: torch.Tensor) -> torch.Tensor:
        calls.append(0)
        return g * slope(ctx) * len(calls)

    text = raised(lambda: gradcheck(square(backward), (point(0.5, -1.25),)))
    return text.split("\n")[0]  # what follows is advice about PyTorch's own tests


@case
def backward_that_wants_a_gradient() -> Any:
    def backward(ctx: Any, g: Any) -> torch.Tensor:
        if g is None:
            raise RuntimeError("no gradient")
        return g * slope(ctx)

    return [
        raised(lambda: gradcheck(square(backward), (point(0.5, -1.25),))),
        gradcheck(square(backward), (point(0.5),), check_undefined_grad=False),
    ]


@case
def backward_that_makes_up_a_gradient() -> Any:
    def backward(ctx: Any, g: Any) -> torch.Tensor:
        return slope(ctx) if g is None else g * slope(ctx)

    return raised(lambda: gradcheck(square(backward), (point(0.5, -1.25),)))
