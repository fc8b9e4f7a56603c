"""backward() and autograd.grad(): roots, inputs, freeing, accumulation, order."""

from __future__ import annotations

import gc
from typing import Any

import torch

from kit import case, leaf, meta, raised, rows, scalar, tree


@case
def roots() -> Any:
    x = leaf(1.0)
    x.backward()
    return [
        raised(torch.ones(1).backward),
        raised((leaf() * 2).backward),
        raised((leaf(1.0) * 2).reshape(1, 1).backward),
        raised((torch.empty(0, requires_grad=True) * 2).backward),
        raised(leaf().backward),
        raised((leaf(1.0) > 0).backward),
        raised(torch.tensor(3).backward),
        raised(leaf().argmax().backward),
        x.grad,
    ]


@case
def gradients_to_start_from() -> Any:
    def of(g: Any) -> Any:
        x = leaf()
        (x * 2).backward(g)
        return x.grad

    wrong = [torch.ones(2), torch.ones(1), torch.tensor(1.0), 1.0, [1.0], "g"]
    right = [torch.ones(3), torch.ones(3, dtype=torch.int64)]
    right += [torch.ones(3, dtype=torch.double), torch.ones(3, requires_grad=True)]
    seen = [raised(lambda g=g: of(g)) for g in wrong + right]
    x = leaf()
    x.sum().backward(torch.tensor(5.0))
    return seen + [raised(lambda: of(None)), x.grad]


@case
def several_roots() -> Any:
    x = leaf(1.0)
    torch.autograd.backward([x * 2, x * 3])
    first = x.grad.clone()
    y = x * 2
    x.grad = None
    torch.autograd.backward([y, y])
    second = x.grad.clone()
    x.grad = None
    y = x * 2
    torch.autograd.backward([y, x])
    third = x.grad.clone()
    x.grad = None
    y = x * 2
    z = y * 3
    y.retain_grad()
    torch.autograd.backward([z, y])
    return [
        first,
        second,
        third,
        x.grad,
        y.grad,
        raised(lambda: torch.autograd.backward([leaf(1.0) * 2, torch.ones(1)])),
        raised(lambda: torch.autograd.backward([leaf() * 2], [None])),
        raised(lambda: torch.autograd.backward([])),
        raised(lambda: torch.autograd.backward([x, x], [torch.ones(1)])),
        raised(lambda: torch.autograd.backward([torch.ones(1)], [torch.ones(1)])),
    ]


@case
def keywords() -> Any:
    y = leaf(1.0) * 2
    return [
        raised(lambda: y.backward(foo=1)),
        raised(lambda: torch.autograd.backward([y], foo=1)),
        raised(lambda: torch.autograd.grad([y], [y], foo=1)),
        raised(lambda: y.backward(retain_graph=None)),
    ]


@case
def grad() -> Any:
    x, u = leaf(), leaf()
    y = x * 2
    z = (y * y).sum()
    both = torch.autograd.grad(z, [y, x])
    return [
        both,
        x.grad,
        raised(lambda: torch.autograd.grad((x * 2).sum(), [x, u])),
        torch.autograd.grad((x * 2).sum(), [x, u], allow_unused=True),
        torch.autograd.grad((x * 2).sum(), [x, u], materialize_grads=True),
        raised(lambda: torch.autograd.grad(x * 2, [torch.ones(3)])),
        raised(lambda: torch.autograd.grad(x * 2, x)),
        torch.autograd.grad(x * 2, x, grad_outputs=torch.ones(3)),
        raised(lambda: torch.autograd.grad(x * 2, x, grad_outputs=torch.ones(2))),
        torch.autograd.grad(x.sum(), x),
        raised(lambda: torch.autograd.grad(x.sum(), [])),
        raised(lambda: torch.autograd.grad(torch.ones(1), [x])),
        torch.autograd.grad([x.sum(), (x * 3).sum()], [x]),
    ]


@case
def grad_of_itself() -> Any:
    x = leaf(1.0)
    y = x * 2
    return [
        torch.autograd.grad(x, x),
        torch.autograd.grad([y], [y]),
        raised(lambda: torch.autograd.grad(x, y)),
        raised(lambda: torch.autograd.grad(y, [x, x])),
    ]


@case
def grad_frees() -> Any:
    x = leaf()
    z = (x * x).sum()
    torch.autograd.grad(z, x)
    w = (x * x).sum()
    raised(lambda: torch.autograd.grad(w, [x, leaf()]))
    return [
        raised(lambda: torch.autograd.grad(z, x)),
        raised(lambda: torch.autograd.grad(w, x)),
        raised(
            lambda: torch.autograd.grad(
                x.sum(), x, materialize_grads=True, allow_unused=False
            )
        ),
    ]


@case
def higher_derivatives() -> Any:
    x = leaf(2.0)
    y = x**3
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    (g2,) = torch.autograd.grad(g, x, create_graph=True)
    (g3,) = torch.autograd.grad(g2, x)
    (h,) = torch.autograd.grad(x**3, x)
    return g, g2, g3, tree(g.grad_fn), raised(lambda: torch.autograd.grad(h, x))


@case
def backward_of_inputs() -> Any:
    def one(select: Any) -> Any:
        x, w, u = leaf(1.0), leaf(2.0), leaf(1.0)
        y = x * w
        z = y * 3
        z.backward(inputs=select(x, w, y, u))
        return x.grad, w.grad, y.grad, u.grad, y.retains_grad

    return [
        one(lambda x, w, y, u: [x]),
        one(lambda x, w, y, u: x),
        one(lambda x, w, y, u: [y]),
        one(lambda x, w, y, u: [y, x]),
        one(lambda x, w, y, u: [u]),
        raised(lambda: one(lambda x, w, y, u: [])),
        raised(lambda: one(lambda x, w, y, u: [torch.ones(1)])),
        raised(lambda: one(lambda x, w, y, u: [3])),
        raised(lambda: one(lambda x, w, y, u: 3)),
    ]


@case
def inputs_free_only_their_branch() -> Any:
    x, w = leaf(1.0), leaf(2.0)
    z = x * w * 3
    z.backward(inputs=[x])
    first = raised(lambda: z.backward(inputs=[w]))
    a, b = x * x, w * w
    c = a + b
    c.backward(inputs=[x])
    c.backward(inputs=[w])
    return first, x.grad, w.grad, raised(c.backward)


def saved(t: torch.Tensor) -> str:
    return raised(lambda: t.grad_fn._saved_other)[:40]


@case
def nodes_that_are_freed() -> Any:
    x = leaf()
    y = x * 3
    z = y * 4
    torch.autograd.grad(z.sum(), y)
    seen = [saved(y), saved(z)]
    y = x * 3
    z = y * 4
    z.sum().backward(inputs=[y])
    return seen + [saved(y), saved(z)]


@case
def second_backward() -> Any:
    x, w = leaf(1.0), leaf(1.0)
    y = x + 1
    y.backward()
    y.backward()
    seen: list[Any] = [x.grad]
    z = x * 2 + 1
    z.backward()
    seen.append(raised(z.backward))
    for first in (True, False):
        x, w = leaf(1.0), leaf(1.0)
        if first:
            b = w * 2
            a = x + 0
        else:
            a = x + 0
            b = w * 2
        z = a + b
        z.backward()
        seen += [raised(z.backward)[:20], x.grad, w.grad]
    return seen


@case
def retaining() -> Any:
    x = leaf(1.0)
    y = x * x
    y.backward(retain_graph=True)
    kept = y.grad_fn._saved_self
    y.backward()
    z = x * x
    z.backward(create_graph=True)
    z.backward()
    w = x * x
    w.backward(create_graph=True, retain_graph=False)
    return kept, x.grad, raised(w.backward)


@case
def parts_of_a_graph() -> Any:
    seen = []
    x = leaf(1.0)
    y = x * x
    z = y * y
    z.backward()
    seen.append(raised(y.backward))
    y = x * x
    z = y * y
    y.backward()
    seen.append(raised(z.backward))
    y = x * x
    y.backward()
    z = y * 3
    seen.append(raised(z.backward))
    return seen + [y, y.requires_grad, tree(y.grad_fn), y.detach() * 2]


@case
def failing_backward_accumulates_what_it_reaches() -> Any:
    x, y = leaf(2.0), leaf(2.0)
    m = x * 3
    z = m + y
    z.backward()
    seen = [raised(z.backward)[:20], x.grad, y.grad]
    x = leaf(2.0)
    z = x * 3 + x
    z.backward()
    return seen + [raised(z.backward)[:20], x.grad]


@case
def hook_that_raises_half_way() -> Any:
    x, w = leaf(2.0), leaf(3.0)
    a = x * w
    b = a * a

    def bad(_: torch.Tensor) -> None:
        raise ValueError("boom")

    handle = a.register_hook(bad)
    first = raised(b.backward)
    handle.remove()
    return [first, x.grad, saved(b), saved(a), raised(b.backward)[:20]]


@case
def grad_modes_inside() -> Any:
    x = leaf(2.0)
    y = x**2
    seen: list[Any] = []
    y.register_hook(lambda g: seen.append((torch.is_grad_enabled(), g.requires_grad)))
    y.backward(create_graph=True)
    y.backward()
    return seen


VERSIONS = {
    "x.sum()": lambda x: x.sum(),
    "x.mean()": lambda x: x.mean(),
    "(x*2).sum()": lambda x: (x * 2).sum(),
    "(2*x).mean()": lambda x: (2 * x).mean(),
    "(x*x).sum()": lambda x: (x * x).sum(),
    "(x**2).sum()": lambda x: (x**2).sum(),
    "(x+1).sum()": lambda x: (x + 1).sum(),
    "(x+x).sum()": lambda x: (x + x).sum(),
    "x*2": lambda x: x * 2,
    "x+1": lambda x: x + 1,
    "-x": lambda x: -x,
    "x/2": lambda x: x / 2,
    "2/x": lambda x: 2 / x,
    "x.exp()": lambda x: x.exp(),
    "x.relu()": lambda x: x.relu(),
    "x.t()*2": lambda x: x.t() * 2,
    "x.t()": lambda x: x.t(),
    "x.view(-1)*2": lambda x: x.view(-1) * 2,
    "x.reshape(3,2)*2": lambda x: x.reshape(3, 2) * 2,
    "x[0]*2": lambda x: x[0] * 2,
    "x[:,1]": lambda x: x[:, 1],
    "x.sum(0)": lambda x: x.sum(0),
    "x.sum(1)*2": lambda x: x.sum(1) * 2,
    "x.mean(0)": lambda x: x.mean(0),
    "x@m": lambda x: x @ torch.ones(3, 2),
    "m@x": lambda x: torch.ones(2, 2) @ x,
    "x*2+x*3": lambda x: x * 2 + x * 3,
    "x*2+x*3+x*4": lambda x: x * 2 + x * 3 + x * 4,
    "x*2+x": lambda x: x * 2 + x,
    "x+x*2": lambda x: x + x * 2,
    "x.sum()+x.sum()": lambda x: x.sum() + x.sum(),
    "(x*2).unsqueeze(0)": lambda x: (x * 2).unsqueeze(0),
    "x.unsqueeze(0)*2": lambda x: x.unsqueeze(0) * 2,
    "x.expand(4,2,3)*2": lambda x: x.expand(4, 2, 3) * 2,
    "x*ones(4,2,3)": lambda x: x * torch.ones(4, 2, 3),
    "x.double()*2": lambda x: x.double() * 2,
    "x.clone()": lambda x: x.clone(),
    "cat": lambda x: torch.cat([x, x * 2]),
    "stack": lambda x: torch.stack([x, x]),
    "x.tanh()": lambda x: x.tanh(),
    "where": lambda x: torch.where(x > 0.5, x, x * 0),
    "x.max()": lambda x: x.max(),
    "softmax": lambda x: x.softmax(1) * 2,
    "index": lambda x: x[torch.tensor([0])] * 2,
    "x.permute(1,0)": lambda x: x.permute(1, 0) * 2,
    "unbind": lambda x: x.unbind()[0] * 2,
    "split": lambda x: x.split(1, 1)[1] * 2,
}


@case
def versions_of_grads() -> Any:
    seen = {}
    for label, f in VERSIONS.items():
        x = rows()
        y = f(x)
        y.backward(torch.ones_like(y))
        seen[label] = x.grad._version, x.grad.stride()
    return seen


@case
def grads_that_are_shared() -> Any:
    x, y = leaf(), leaf()
    ((x + y) * 2).sum().backward()
    seen: list[Any] = [(x.grad._version, y.grad._version)]
    x, b = rows(), leaf()
    ((x + b) * 2).sum().backward()
    seen.append((x.grad._version, b.grad._version))
    x, y = leaf(1.0), leaf(1.0)
    (x + y).backward()
    seen.append((x.grad.data_ptr() == y.grad.data_ptr(), x.grad._version))
    x, y, z = leaf(), leaf(), leaf()
    ((x + y + z) * 2).sum().backward()
    return seen + [(x.grad._version, y.grad._version, z.grad._version)]


@case
def grads_of_one_element() -> Any:
    seen = []
    x = leaf(1.0)
    x.backward()
    seen.append(x.grad._version)
    x = leaf(1.0)
    x.sum().backward()
    seen.append(x.grad._version)
    x = leaf(1.0)
    w = 10 * x
    (w**2).backward()
    seen.append(x.grad._version)
    x = leaf(1.0)
    w = x + 1
    w.retain_grad()
    (w * 2).backward()
    seen += [x.grad._version, w.grad._version, x.grad.data_ptr() == w.grad.data_ptr()]
    x = scalar(1.0)
    (x * x).backward()
    return seen + [x.grad._version]


@case
def accumulation() -> Any:
    x = leaf(1.0)
    s = x * 2
    s.backward(retain_graph=True)
    g = x.grad
    first = meta(g)
    s.backward(retain_graph=True)
    s.backward()
    seen: list[Any] = [first, g is x.grad, g, meta(g)]
    x.grad.zero_()
    (x * 2).backward()
    seen += [g is x.grad, g, meta(g)]
    x.grad = torch.zeros(1)
    g = x.grad
    (x * 3).backward()
    seen += [g is x.grad, x.grad, meta(g)]
    x.grad = torch.ones(1, requires_grad=True)
    (x * 2).backward()
    return seen + [x.grad, meta(x.grad)]


@case
def accumulation_with_a_graph() -> Any:
    x = leaf(1.0)
    y = x * 2
    y.backward(create_graph=True)
    g = x.grad
    seen: list[Any] = [g, meta(g)]
    y.backward(create_graph=True)
    seen += [g is x.grad, g, x.grad, meta(x.grad)]
    x = leaf(2.0)
    y = x**2
    y.backward(create_graph=True)
    seen += [x.grad, meta(x.grad), tree(x.grad.grad_fn)]
    g = x.grad
    x.grad = None
    g.backward()
    return seen + [x.grad]


@case
def gradient_of_the_caller_is_copied() -> Any:
    x, g = leaf(), torch.ones(3)
    (x + 0).backward(g)
    (x * 1).backward(g)
    return x.grad.data_ptr() == g.data_ptr(), x.grad, g, x.grad._version


@case
def layout_of_grads() -> Any:
    x = rows()
    x.t().sum().backward()
    y = torch.ones(2, 3).t().requires_grad_()
    (y * 2).sum().backward()
    z = torch.ones(2, 3).t().requires_grad_()
    (z * torch.ones(3, 2)).sum().backward()
    w = torch.ones(4, 3)[::2].detach().requires_grad_()
    (w * 2).sum().backward()
    e = torch.ones(1, 3).expand(2, 3).requires_grad_()
    (e * 2).sum().backward()
    return [(t.grad.stride(), t.grad._version) for t in (x, y, z, w, e)]


@case
def broadcast_operands() -> Any:
    x, b = rows(), leaf()
    c, d = scalar(1.0), torch.ones(2, 1, requires_grad=True)
    z = (x + b) * c + d
    z.sum().backward()
    return x.grad, b.grad, c.grad, d.grad, tree(z.grad_fn)


@case
def dtypes_of_grads() -> Any:
    x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    y = x.float() * 2
    y.sum().backward()
    z = leaf()
    (z * torch.ones(3, dtype=torch.double)).sum().backward()
    return x.grad, z.grad


@case
def retained_grads() -> Any:
    x = leaf(1.0)
    y = x * 2
    y.retain_grad()
    y.retain_grad()
    z = y * 3
    z.backward(retain_graph=True)
    g = y.grad
    z.backward()
    seen: list[Any] = [g is y.grad, g, y.grad, x.grad, meta(y), meta(y.grad)]
    y = x * 2
    y.retain_grad()
    y.add_(1)
    (y * 3).backward()
    seen += [y.grad, meta(y)]
    y = x * 2
    z = y * 3
    z.backward(retain_graph=True)
    y.retain_grad()
    z.backward()
    w = x * 1
    w.retain_grad()
    w.backward()
    t = (rows() * 2).t()
    t.retain_grad()
    (t * torch.ones(3, 2)).sum().backward()
    return seen + [y.grad, w.grad, t.grad.stride()]


@case
def leaf_kept_alive_by_the_graph() -> Any:
    x = leaf(1.0)
    y = x * 2
    del x
    gc.collect()
    y.backward()
    return y.grad_fn.next_functions[0][0].variable.grad


@case
def detached_twin() -> Any:
    x = leaf(1.0)
    y = x.detach()
    y.requires_grad_()
    z = x * y
    z.backward()
    return x.grad, y.grad, x.data_ptr() == y.data_ptr()


@case
def nan_gradients() -> Any:
    x = leaf(1.0, 2.0)
    y = x * torch.tensor(float("inf"))
    (y * 0).sum().backward()
    return x.grad


SUBGRADIENTS = {
    "relu": lambda x: x.relu(),
    "abs": lambda x: x.abs(),
    "sqrt": lambda x: x.sqrt(),
    "norm": lambda x: x.norm(),
    "clamp(min=0)": lambda x: x.clamp(min=0),
    "clamp(0, 1)": lambda x: x.clamp(0, 1),
    "sign": lambda x: x.sign(),
    "x**0": lambda x: x**0,
    "x**1": lambda x: x**1,
    "x**0.5": lambda x: x**0.5,
    "log": lambda x: x.log(),
    "1/x": lambda x: 1 / x,
    "leaky_relu": lambda x: torch.nn.functional.leaky_relu(x),
    "hardtanh": lambda x: torch.nn.functional.hardtanh(x, 0.0, 1.0),
    "std": lambda x: torch.stack([x, x]).std(),
    "prod": lambda x: torch.stack([x, x + 1]).prod(),
    "where": lambda x: torch.where(x > 0, x * 2, x * 3),
    "floor": lambda x: x.floor(),
    "x%2": lambda x: x % 2,
    "x**x": lambda x: x**x,
    "0**x": lambda x: torch.zeros(()) ** x,
}


@case
def subgradients_at_zero() -> Any:
    seen = {}
    for label, f in SUBGRADIENTS.items():
        x = scalar(0.0)
        y = f(x)
        y.backward()
        seen[label] = y.detach(), x.grad
    return seen


@case
def ties() -> Any:
    seen = []
    for f in (
        lambda x: x.max(),
        lambda x: x.max(0)[0],
        lambda x: torch.maximum(x, torch.tensor([1.0, 4.0, 5.0])).sum(),
        lambda x: x.amax(),
        lambda x: x.median(),
    ):
        x = leaf(1.0, 5.0, 5.0)
        f(x).backward()
        seen.append(x.grad)
    return seen


@case
def nested_backward() -> Any:
    x = leaf(1.0)

    def hook(g: torch.Tensor) -> torch.Tensor:
        y = torch.ones(1, requires_grad=True)
        with torch.enable_grad():
            z = y * 2
        z.backward()
        return g * y.grad

    x.register_hook(hook)
    (x * 3).backward()
    return x.grad


@case
def nested_backward_through_the_same_graph() -> Any:
    x = leaf(3.0)
    y = x * x
    seen: list[Any] = []

    def hook(g: torch.Tensor) -> None:
        if not seen:
            seen.append(g)
            seen.append(torch.autograd.grad(y, x, retain_graph=True))

    y.register_hook(hook)
    (y * 2).backward()
    return seen, x.grad
