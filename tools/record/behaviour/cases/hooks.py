"""Hooks on tensors and nodes, and the order in which things happen."""

from __future__ import annotations

from typing import Any

import torch
from torch.autograd import Function

from kit import case, leaf, meta, raised, show


class Tag(Function):
    """Copies its input; its backward notes that it ran."""

    log: list[Any] = []

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, tag: str) -> torch.Tensor:
        ctx.tag = tag
        return x.clone()

    @staticmethod
    def backward(ctx: Any, g: torch.Tensor) -> Any:
        Tag.log.append(ctx.tag)
        return g, None


class Nothing(Function):
    """Has no gradient."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        return x * 1

    @staticmethod
    def backward(ctx: Any, g: torch.Tensor) -> None:
        return None


def accumulator(x: torch.Tensor) -> Any:
    return x.expand_as(x).grad_fn.next_functions[0][0]


@case
def gradients_that_hooks_see() -> Any:
    log: list[Any] = []
    x = leaf(1.0)
    y = x * 2
    z = y * 3
    for label, t in (("x", x), ("y", y), ("z", z)):
        t.register_hook(lambda g, n=label: log.append((n, g.clone())))
    z.backward()
    return log


@case
def hooks_replace() -> Any:
    x, y = leaf(1.0), leaf(1.0)
    x.register_hook(lambda g: g * 10)
    (x * 2).backward()
    y.register_hook(lambda g: g + 1)
    y.register_hook(lambda g: g * 10)
    (y * 2).backward()
    return x.grad, y.grad


@case
def hooks_and_retain_grad() -> Any:
    seen = []
    for first in (True, False):
        x = leaf(1.0)
        y = x * 2
        if first:
            y.retain_grad()
        y.register_hook(lambda g: g * 10)
        if not first:
            y.retain_grad()
        (y * 3).backward()
        seen += [x.grad, y.grad]
    return seen


@case
def hooks_removed() -> Any:
    x = leaf(1.0)
    handle = x.register_hook(lambda g: g * 10)
    handle.remove()
    handle.remove()
    (x * 2).backward()
    return x.grad


@case
def hooks_removed_and_added_meanwhile() -> Any:
    x = leaf(1.0)
    log: list[str] = []
    handles: list[Any] = []

    def first(_: torch.Tensor) -> None:
        log.append("first")
        handles[0].remove()
        x.register_hook(lambda g: log.append("third"))

    x.register_hook(first)
    handles.append(x.register_hook(lambda g: log.append("second")))
    (x * 2).backward()
    log.append("again")
    (x * 2).backward()
    return log


@case
def wrong_hooks() -> Any:
    def of(result: Any) -> Any:
        x = leaf(1.0)
        x.register_hook(lambda g: result)
        (x * 2).backward()

    wrong = [torch.ones(2), 3, torch.ones(1).double(), torch.ones(2).double(), (1,)]
    return [raised(lambda r=r: of(r)) for r in wrong] + [
        raised(lambda: torch.ones(1).register_hook(lambda g: g))
    ]


@case
def leaf_hooks_see_the_sum_of_one_pass() -> Any:
    log: list[Any] = []
    x = leaf(1.0)
    x.register_hook(lambda g: log.append(g.clone()))
    y = x * 2 + x * 3
    y.backward(retain_graph=True)
    y.backward()
    return log, x.grad


@case
def node_hooks() -> Any:
    log: list[Any] = []
    x = leaf(1.0)
    y = x * 2
    y.grad_fn.register_prehook(lambda out: log.append(("pre", out)))
    y.grad_fn.register_hook(lambda into, out: log.append(("post", into, out)))
    acc = accumulator(x)
    acc.register_hook(lambda into, out: log.append(("leaf", into, out, x.grad.clone())))
    (y * 3).backward()
    return log


@case
def node_hooks_replace() -> Any:
    x, w = leaf(1.0), leaf(1.0)
    y = x * 2
    y.grad_fn.register_prehook(lambda out: (out[0] * 10,))
    (y * 3).backward()
    z = w * 2
    z.grad_fn.register_hook(lambda into, out: (into[0] * 10, into[1]))
    (z * 3).backward()
    return x.grad, w.grad


@case
def wrong_node_hooks() -> Any:
    def post(result: Any) -> Any:
        x = leaf(1.0)
        y = x * 2
        y.grad_fn.register_hook(lambda into, out: result(into))
        y.backward()
        return x.grad

    def pre(result: Any) -> Any:
        x = leaf(1.0)
        y = x * 2
        y.grad_fn.register_prehook(lambda out: result(out))
        y.backward()
        return x.grad

    posts = [
        lambda g: (g[0],),
        lambda g: (torch.ones(2), None),
        lambda g: (torch.ones(1).double(), None),
        lambda g: (g[0], torch.ones(1)),
        lambda g: (None, None),
        lambda g: [g[0], None],
        lambda g: g[0],
        lambda g: (3, None),
        lambda g: g,
    ]
    pres = [
        lambda g: (torch.ones(2),),
        lambda g: torch.ones(1) * 7,
        lambda g: (None,),
        lambda g: (g[0] * 2,),
    ]
    return [raised(lambda f=f: post(f)) for f in posts] + [
        raised(lambda f=f: pre(f)) for f in pres
    ]


@case
def order_at_a_leaf() -> Any:
    log: list[str] = []
    x = leaf(1.0)
    acc = accumulator(x)
    acc.register_hook(lambda into, out: log.append("post"))
    acc.register_prehook(lambda out: log.append("pre"))
    x.register_post_accumulate_grad_hook(lambda p: log.append(f"after {p.grad}"))
    x.register_hook(lambda g: log.append("tensor"))
    (x * 3).backward()
    return log


@case
def order_at_a_result() -> Any:
    log: list[str] = []
    x = leaf(1.0)
    y = x * 2
    y.grad_fn.register_hook(lambda into, out: log.append("post 1"))
    y.grad_fn.register_prehook(lambda out: log.append("pre 1"))
    y.retain_grad()
    y.register_hook(lambda g: log.append(f"tensor 1 {y.grad is None}"))
    y.grad_fn.register_prehook(lambda out: log.append(f"pre 2 {y.grad is None}"))
    y.register_hook(lambda g: log.append("tensor 2"))
    y.grad_fn.register_hook(lambda into, out: log.append("post 2"))
    (y * 3).backward()
    return log


@case
def hooks_of_several_outputs() -> Any:
    log: list[str] = []
    a, b, c = leaf().unbind()
    c.register_hook(lambda g: log.append(f"c {g}"))
    a.register_hook(lambda g: log.append(f"a {g}"))
    b.register_hook(lambda g: log.append(f"b {g}"))
    (a * b).backward()
    return log


@case
def hooks_before_and_after_a_change() -> Any:
    log: list[Any] = []
    x = leaf(1.0)
    y = x * 2
    y.register_hook(lambda g: log.append(("before", g.clone())))
    y.mul_(5)
    y.register_hook(lambda g: log.append(("after", g.clone())))
    y.backward()
    return log


@case
def hooks_see_undefined_gradients() -> Any:
    log: list[Any] = []
    x = leaf(1.0)
    m = x * 5
    m.register_hook(lambda g: log.append(("m", g)))
    x.register_hook(lambda g: log.append(("x", g)))
    m.grad_fn.register_prehook(lambda g: log.append(("pre", g)))
    m.grad_fn.register_hook(lambda g, out: log.append(("post", g, out)))
    Nothing.apply(m).backward()
    log.append(x.grad)
    m = x * 5
    m.register_hook(lambda g: torch.ones(1))
    return log + [raised(Nothing.apply(m).backward)]


@case
def hooks_in_grad() -> Any:
    log: list[str] = []
    x = leaf(1.0)
    handle = x.register_hook(lambda g: log.append("x") or g * 10)
    seen: list[Any] = [torch.autograd.grad(x * 2, x), x.grad]
    handle.remove()
    y = x * 2
    y.register_hook(lambda g: log.append("y") or g * 10)
    seen += [torch.autograd.grad(y * 3, y), torch.autograd.grad(y * 3, [y, x])]
    return seen + [log]


@case
def hooks_of_a_root_that_leads_nowhere() -> Any:
    log: list[str] = []
    x, u = leaf(1.0), leaf(1.0)
    y = x * 2
    y.register_hook(lambda g: log.append("y"))
    y.backward(inputs=[u])
    return log, x.grad, u.grad


@case
def post_accumulate_hooks() -> Any:
    x = leaf(1.0)
    log: list[Any] = []

    def step(p: torch.Tensor) -> None:
        log.append((p is x, p.grad.clone()))
        p.grad = None

    handle = x.register_post_accumulate_grad_hook(step)
    (x * 2).backward()
    seen = x.grad
    handle.remove()
    (x * 2).backward()
    return [
        log,
        seen,
        x.grad,
        raised(lambda: (x * 2).register_post_accumulate_grad_hook(step)),
        raised(lambda: torch.ones(1).register_post_accumulate_grad_hook(step)),
    ]


@case
def hooks_and_versions_of_grads() -> Any:
    seen = []
    x = leaf()
    x.register_hook(lambda g: None)
    (x * 2).sum().backward()
    seen.append(x.grad._version)
    x = leaf()
    keep: list[Any] = []
    x.register_hook(lambda g: keep.append(g))
    (x * 2).sum().backward()
    seen.append(x.grad._version)
    x = leaf()
    accumulator(x).register_hook(lambda into, out: None)
    node = accumulator(x)
    node.register_hook(lambda into, out: None)
    (x * 2).sum().backward()
    return seen + [x.grad._version]


def accumulations(n: int, backward: Any) -> str:
    xs = [leaf(1.0) for _ in range(n)]
    order: list[int] = []
    for k, x in enumerate(xs):
        x.register_hook(lambda g, k=k: order.append(k))
    backward(xs)
    return show(order)


@case
def order_of_accumulation() -> Any:
    return [
        accumulations(2, lambda x: (x[0] + x[1]).backward()),
        accumulations(3, lambda x: (x[0] * x[1] * x[2]).backward()),
        accumulations(4, lambda x: torch.cat(x).sum().backward()),
        accumulations(7, lambda x: torch.cat(x).sum().backward()),
        accumulations(7, lambda x: torch.cat(x[::-1]).sum().backward()),
        accumulations(5, lambda x: torch.stack(x).sum().backward()),
        accumulations(3, lambda x: torch.autograd.backward(x)),
    ]


def run(build: Any) -> str:
    Tag.log = []
    build()
    return show(Tag.log)


@case
def order_of_nodes() -> Any:
    def diamond() -> None:
        x = leaf(1.0)
        a = Tag.apply(x, "a")
        b = Tag.apply(x, "b")
        c = Tag.apply(a, "c")
        d = Tag.apply(b, "d")
        Tag.apply(c + d, "e").backward()

    def crossed() -> None:
        x = leaf(1.0)
        a = Tag.apply(x, "a")
        c = Tag.apply(a, "c")
        b = Tag.apply(x, "b")
        d = Tag.apply(b, "d")
        Tag.apply(c + d, "e").backward()

    def leaves() -> None:
        x, y = leaf(1.0), leaf(1.0)
        x.register_hook(lambda g: Tag.log.append("x"))
        y.register_hook(lambda g: Tag.log.append("y"))
        a = Tag.apply(x, "a")
        Tag.apply(a * y, "b").backward()

    def two_roots() -> None:
        x = leaf(1.0)
        a = Tag.apply(x, "a")
        b = Tag.apply(x, "b")
        torch.autograd.backward([a, b])

    def two_roots_reversed() -> None:
        x = leaf(1.0)
        a = Tag.apply(x, "a")
        b = Tag.apply(x, "b")
        torch.autograd.backward([b, a])

    return [run(f) for f in (diamond, crossed, leaves, two_roots, two_roots_reversed)]


@case
def nodes_that_run_for_inputs() -> Any:
    def graph() -> Any:
        x, w = leaf(1.0), leaf(2.0)
        y = Tag.apply(x, "y")
        u = Tag.apply(w, "u")
        return x, w, y, Tag.apply(y * 3 + u, "z")

    def of_grad() -> None:
        _, _, y, z = graph()
        torch.autograd.grad(z, y)

    def of_result() -> None:
        _, _, y, z = graph()
        z.backward(inputs=[y])
        Tag.log += [y.grad, y.retains_grad]

    def of_leaf() -> None:
        x, w, _, z = graph()
        z.backward(inputs=[x])
        Tag.log += [x.grad, w.grad]

    return [run(f) for f in (of_grad, of_result, of_leaf)]


@case
def nodes_after_an_undefined_gradient_run() -> Any:
    def build() -> None:
        x = leaf(1.0)
        t = Tag.apply(x * 5, "t")
        Nothing.apply(t).backward()
        Tag.log.append(x.grad)

    return run(build)


@case
def metadata_of_a_hooked_leaf() -> Any:
    x = leaf()
    x.register_hook(lambda g: g)
    return meta(x)
