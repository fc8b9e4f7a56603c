"""Functions defined by the program."""

from __future__ import annotations

from typing import Any

import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable

from kit import case, leaf, meta, raised, tree


def function(
    forward: Any, backward: Any = None, name: str = "Fn", once: bool = False, **more: Any
) -> Any:
    """A Function class made of functions of ctx and the arguments."""
    body = {"forward": staticmethod(forward)} | {
        k: staticmethod(v) for k, v in more.items()
    }
    if backward is not None:
        body["backward"] = staticmethod(
            once_differentiable(backward) if once else backward
        )
    return type(name, (Function,), body).apply


def square_forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
    ctx.save_for_backward(x)
    return x * x


def square_backward(ctx: Any, g: torch.Tensor) -> torch.Tensor:
    (x,) = ctx.saved_tensors
    return 2 * x * g


square = function(square_forward, square_backward, "Square")
square_once = function(square_forward, square_backward, "Square", once=True)


def same(ctx: Any, g: torch.Tensor) -> torch.Tensor:
    return g


@case
def results() -> Any:
    x = leaf(3.0)
    y = square(x)
    seen = [y, meta(y), y.grad_fn.name(), tree(y.grad_fn), y.grad_fn.saved_tensors]
    y.backward()
    return seen + [
        x.grad,
        raised(y.backward),
        raised(lambda: y.grad_fn.saved_tensors),
        meta(square(torch.ones(1))),
    ]


@case
def function_under_no_grad() -> Any:
    x = leaf(3.0)
    with torch.no_grad():
        y = square(x)
        z = function(lambda ctx, x: x, same)(x)
    return meta(y), meta(z), z is x


@case
def second_derivative() -> Any:
    x = leaf(3.0)
    (g,) = torch.autograd.grad(square(x), x, create_graph=True)
    return g, tree(g.grad_fn), torch.autograd.grad(g, x)


@case
def once_differentiable_functions() -> Any:
    x, w = leaf(3.0), leaf(1.0)
    (g,) = torch.autograd.grad(square_once(x), x, create_graph=True)
    (h,) = torch.autograd.grad(square_once(x) * w, x, create_graph=True)
    return g, meta(g), h, tree(h.grad_fn), h.grad_fn.name(), raised(h.backward)


@case
def nothing_saved() -> Any:
    x = leaf(3.0)
    y = function(lambda ctx, x: x + 1, same)(x)
    y.backward()
    y.backward()

    def reads(ctx: Any, g: torch.Tensor) -> torch.Tensor:
        assert ctx.saved_tensors == ()
        return g

    z = function(lambda ctx, x: x + 1, reads)(x)
    z.backward()
    return x.grad, raised(z.backward)


@case
def arguments_that_are_no_tensors() -> Any:
    seen: list[Any] = []

    def forward(ctx: Any, x: torch.Tensor, k: int, y: torch.Tensor, n: Any) -> Any:
        ctx.k = k
        seen.append(ctx.needs_input_grad)
        return x * k + y

    def backward(ctx: Any, g: torch.Tensor) -> Any:
        seen.append(ctx.needs_input_grad)
        return g * ctx.k, None, None, None

    x = leaf(1.0)
    z = function(forward, backward)(x, 5, torch.ones(1), None)
    z.backward()
    return seen, x.grad, tree(z.grad_fn)


@case
def wrong_gradients() -> Any:
    def of(backward: Any, arguments: int = 2) -> Any:
        def forward(ctx: Any, *xs: Any) -> Any:
            return xs[0] * 2

        xs = [leaf() for _ in range(arguments)]
        function(forward, backward)(*xs).sum().backward()
        return [x.grad for x in xs]

    def with_number() -> Any:
        x = leaf()
        function(lambda ctx, x, k: x * k, lambda ctx, g: (g, g))(x, 2).sum().backward()

    return [
        raised(lambda: of(lambda ctx, g: g)),
        raised(lambda: of(lambda ctx, g: (g, g, g))),
        raised(lambda: of(lambda ctx, g: (g, g, None))),
        raised(lambda: of(lambda ctx, g: (torch.ones(2, 2), g))),
        raised(lambda: of(lambda ctx, g: (torch.ones(2, 3), g))),
        raised(lambda: of(lambda ctx, g: (1.0, g))),
        raised(lambda: of(lambda ctx, g: (None, g))),
        raised(lambda: of(lambda ctx, g: None, 1)),
        raised(lambda: of(lambda ctx, g: [g], 1)),
        raised(lambda: of(lambda ctx, g: g.double(), 1)),
        raised(lambda: of(None, 1)),
        raised(with_number),
    ]


@case
def wrong_forward() -> Any:
    return [
        raised(lambda: function(lambda ctx, x: 3.0, same)(leaf())),
        raised(lambda: function(lambda ctx, x: ctx.save_for_backward(3), same)(leaf())),
        raised(lambda: function(lambda ctx, x: (x * 2, None), same)(leaf())[1]),
    ]


@case
def modes_inside() -> Any:
    seen: list[Any] = []

    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        seen.append((torch.is_grad_enabled(), x.requires_grad, (x * 2).requires_grad))
        return x * 2

    def backward(ctx: Any, g: torch.Tensor) -> torch.Tensor:
        seen.append((torch.is_grad_enabled(), g.requires_grad))
        return g * 2

    x = leaf(1.0)
    f = function(forward, backward)
    f(x).backward()
    torch.autograd.grad(f(x), x, create_graph=True)
    return seen


@case
def input_returned() -> Any:
    identity = function(lambda ctx, x: x, same, "Identity")
    x = leaf(1.0)
    y = identity(x)
    z = identity(x * 1)
    p = identity(torch.ones(1))
    return [
        y is x,
        meta(y),
        tree(y.grad_fn),
        y.data_ptr() == x.data_ptr(),
        raised(lambda: z.add_(1)),
        p,
        meta(p),
    ]


@case
def view_of_an_input_returned() -> Any:
    x = leaf() * 1
    y = function(lambda ctx, x: x.view(3, 1), lambda ctx, g: g.view(3), "View")(x)
    seen = [meta(y), tree(y.grad_fn), raised(lambda: y.add_(1))]
    x.add_(1)
    return seen + [raised(lambda: y.grad_fn), raised(lambda: y.sum().backward())]


@case
def several_views_returned() -> Any:
    def forward(ctx: Any, x: torch.Tensor) -> Any:
        return x[0], x[1]

    x = leaf() * 1
    a, b = function(forward, lambda ctx, g, h: torch.stack([g, h, h]), "Views")(x)
    return meta(a), meta(b), raised(lambda: a.add_(1))


def add_one(ctx: Any, x: torch.Tensor) -> torch.Tensor:
    x.add_(1)
    ctx.mark_dirty(x)
    return x


@case
def dirty_inputs() -> Any:
    x = leaf(1.0)
    y = x * 1
    z = function(add_one, lambda ctx, g: g * 10)(y)
    graph = tree(y.grad_fn)
    y.backward()
    return [
        z is y,
        meta(y),
        graph,
        x.grad,
        raised(lambda: function(add_one, same)(leaf(1.0))),
        raised(lambda: function(add_one, same)(torch.ones(1))),
    ]


@case
def dirty_view() -> Any:
    x = leaf()
    y = x * 1
    v = y[0]
    w = function(add_one, lambda ctx, g: g * 10)(v)
    seen = [w is v, tree(y.grad_fn), tree(v.grad_fn), y._version]
    y.sum().backward()
    return seen + [x.grad]


@case
def dirty_misused() -> Any:
    def not_returned(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        ctx.mark_dirty(x)
        return x * 1

    def view_and_another(ctx: Any, x: torch.Tensor) -> Any:
        x.add_(1)
        ctx.mark_dirty(x)
        return x, x * 2

    def not_an_input(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        y = x * 2
        ctx.mark_dirty(y)
        return y

    unmarked = leaf(1.0) * 1
    function(lambda ctx, x: x.add_(1) * 1, same)(unmarked)
    return [
        raised(lambda: function(not_returned, same)(leaf(1.0) * 1)),
        raised(lambda: function(view_and_another, same)((leaf() * 1)[0])),
        raised(lambda: function(not_an_input, same)(leaf(1.0))),
        meta(unmarked),
    ]


@case
def dirty_drops_grad_and_hooks() -> Any:
    log: list[Any] = []
    x = leaf(1.0)
    y = x * 1
    y.retain_grad()
    y.register_hook(lambda g: log.append(g.clone()))
    (y * 2).backward(retain_graph=True)
    before = y.grad.clone()
    function(add_one, lambda ctx, g: g * 10)(y)
    seen = [before, y.grad, meta(y)]
    (y * 3).backward()
    return seen + [y.grad, x.grad, log]


@case
def non_differentiable_outputs() -> Any:
    seen: list[Any] = []

    def forward(ctx: Any, x: torch.Tensor) -> Any:
        a, b, c = x * 2, x > 0, x * 3
        ctx.mark_non_differentiable(b, c)
        return a, b, c

    def backward(ctx: Any, *gs: torch.Tensor) -> torch.Tensor:
        seen.append(gs)
        return gs[0]

    x = leaf(1.0, 2.0)
    outs = function(forward, backward)(x)
    outs[0].sum().backward()
    return outs, [meta(t) for t in outs], seen, x.grad


@case
def non_differentiable_input() -> Any:
    def forward(ctx: Any, x: torch.Tensor) -> Any:
        ctx.mark_non_differentiable(x)
        return x

    x = leaf(1.0)
    y = function(forward, same)(x)
    return y is x, meta(y), meta(x)


@case
def undefined_gradients() -> Any:
    def of(materialize: bool) -> Any:
        seen: list[Any] = []

        def forward(ctx: Any, x: torch.Tensor) -> Any:
            ctx.set_materialize_grads(materialize)
            return x * 1, x * 2

        def backward(ctx: Any, a: Any, b: Any) -> Any:
            seen.append((a, b))
            return a

        x = leaf(1.0, 2.0)
        function(forward, backward)(x)[0].sum().backward()
        return seen, x.grad

    return of(True), of(False)


@case
def saved_tensors_modified() -> Any:
    def leak(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        y = x * 2
        ctx.save_for_backward(y)
        return y

    x = leaf(1.0)
    y = function(leak, lambda ctx, g: ctx.saved_tensors[0] * g)(x)
    y.mul_(2)
    z = square(x)
    with torch.no_grad():
        x.add_(1)
    return raised(y.backward), raised(z.backward)


@case
def saved_results() -> Any:
    def exp(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        y = x.exp()
        ctx.save_for_backward(y, None)
        return y

    def backward(ctx: Any, g: torch.Tensor) -> torch.Tensor:
        y, nothing = ctx.saved_tensors
        assert nothing is None
        return y * g

    x = leaf(0.0)
    y = function(exp, backward, "Exp")(x)
    saved = y.grad_fn.saved_tensors[0]
    seen = [meta(saved), saved is y]
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    return seen + [g, tree(g.grad_fn), torch.autograd.grad(g, x)]


@case
def function_that_raises() -> Any:
    def bad(ctx: Any, *args: Any) -> Any:
        raise ValueError("boom")

    x = leaf(1.0)
    y = function(lambda ctx, x: x * 2, bad)(x)
    return raised(lambda: function(bad)(x)), raised(y.backward), x.grad


@case
def versions_of_grads_of_functions() -> Any:
    kept: list[Any] = []

    def keeps(ctx: Any, g: torch.Tensor) -> torch.Tensor:
        kept.append(g * 2)
        return kept[-1]

    seen = []
    for backward in (same, lambda ctx, g: g * 2, keeps):
        x = leaf()
        function(lambda ctx, x: x * 2, backward)(x).backward(torch.ones(3))
        seen.append(x.grad._version)
    return seen
