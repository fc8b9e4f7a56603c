"""In-place operations: versions, what is allowed, what backward notices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from kit import case, leaf, meta, raised, rows, tree

Op = Callable[[torch.Tensor], Any]
ONE = torch.tensor([0])

BUMPS: dict[str, Op] = {
    "add_": lambda x: x.add_(1),
    "+=": lambda x: x.__iadd__(1),
    "-=": lambda x: x.__isub__(1),
    "*=": lambda x: x.__imul__(2),
    "/=": lambda x: x.__itruediv__(2),
    "**=": lambda x: x.__ipow__(2),
    "//=": lambda x: x.__ifloordiv__(2),
    "%=": lambda x: x.__imod__(2),
    "add_ of itself": lambda x: x.add_(x),
    "zero_": lambda x: x.zero_(),
    "fill_": lambda x: x.fill_(1),
    "copy_": lambda x: x.copy_(torch.ones(4)),
    "x[0] = 1": lambda x: x.__setitem__(0, 1.0),
    "x[0] = tensor": lambda x: x.__setitem__(0, torch.tensor(1.0)),
    "x[:] = 1": lambda x: x.__setitem__(slice(None), 1.0),
    "x[:] = tensor": lambda x: x.__setitem__(slice(None), torch.ones(4)),
    "x[mask] = 0": lambda x: x.__setitem__(x > 2, 0.0),
    "x[[0, 1]] = 1": lambda x: x.__setitem__([0, 1], 1.0),
    "x[...] = 1": lambda x: x.__setitem__(Ellipsis, 1.0),
    "exp_": lambda x: x.exp_(),
    "relu_": lambda x: x.relu_(),
    "sigmoid_": lambda x: x.sigmoid_(),
    "tanh_": lambda x: x.tanh_(),
    "neg_": lambda x: x.neg_(),
    "abs_": lambda x: x.abs_(),
    "sqrt_": lambda x: x.sqrt_(),
    "clamp_": lambda x: x.clamp_(0, 1),
    "pow_": lambda x: x.pow_(2),
    "square_": lambda x: x.square_(),
    "round_": lambda x: x.round_(),
    "cumsum_": lambda x: x.cumsum_(0),
    "normal_": lambda x: x.normal_(),
    "uniform_": lambda x: x.uniform_(),
    "random_": lambda x: x.random_(),
    "bernoulli_": lambda x: x.bernoulli_(0.5),
    "masked_fill_": lambda x: x.masked_fill_(x > 2, 0),
    "index_fill_": lambda x: x.index_fill_(0, ONE, 1),
    "index_add_": lambda x: x.index_add_(0, ONE, torch.ones(1)),
    "scatter_": lambda x: x.scatter_(0, ONE, 1.0),
    "addcmul_": lambda x: x.addcmul_(x, x),
    "addcdiv_": lambda x: x.addcdiv_(x, x),
    "lerp_": lambda x: x.lerp_(torch.ones(4), 0.5),
    "t_": lambda x: x.t_(),
    "unsqueeze_": lambda x: x.unsqueeze_(0),
    "squeeze_": lambda x: x.squeeze_(),
    "transpose_": lambda x: x.transpose_(0, 0),
    "resize_": lambda x: x.resize_(2),
    "requires_grad_": lambda x: x.requires_grad_(),
    "detach_": lambda x: x.detach_(),
    "data.add_": lambda x: x.data.add_(1),
    "detach().add_": lambda x: x.detach().add_(1),
    "view.add_": lambda x: x.view(2, 2).add_(1),
    "x[0].add_": lambda x: x[0].add_(1),
    "add(out=)": lambda x: torch.add(torch.ones(4), 1, out=x),
    "mul(out=) of itself": lambda x: torch.mul(x, 2, out=x),
    "F.relu(inplace)": lambda x: nn.functional.relu(x, inplace=True),
    "F.dropout(inplace)": lambda x: nn.functional.dropout(x, 0.5, True, True),
    "item": lambda x: x[0].item(),
    "repr": lambda x: repr(x),
    "data =": lambda x: setattr(x, "data", torch.zeros(4)),
    "x + 1": lambda x: x + 1,
    "x[0] += 1": lambda x: x.__setitem__(0, x[0].__iadd__(1)),
}


@case
def versions() -> Any:
    seen = {}
    for label, op in BUMPS.items():
        x = torch.tensor([1.0, 2.0, 3.0, 4.0])
        op(x)
        seen[label] = x._version
    return seen


@case
def leaves() -> Any:
    x = leaf()
    return [
        raised(lambda: leaf().add_(1)),
        raised(lambda: leaf().__setitem__(0, 5.0)),
        raised(lambda: leaf().zero_()),
        raised(lambda: leaf()[0].add_(1)),
        raised(lambda: leaf().view(3).mul_(2)),
        raised(lambda: leaf()[:2].zero_()),
        raised(lambda: leaf(1.0).expand(3).add_(1)),
        raised(lambda: leaf().requires_grad_(False).add_(1)),
        x.detach().add_(1),
        x,
        x._version,
    ]


@case
def independent_errors() -> Any:
    return [
        raised(lambda: torch.ones(1).expand(3).add_(1)),
        raised(lambda: torch.ones(2).add_(torch.ones(2, 2))),
        raised(lambda: torch.tensor([1]).add_(1.5)),
        raised(lambda: torch.ones(2).bool().add_(1)),
        raised(lambda: torch.ones(2).copy_(torch.ones(3))),
    ]


@case
def results_changed() -> Any:
    x = leaf()
    y = x * 2
    y += 1
    z = x * 1
    z.add_(1)
    z.mul_(2)
    return meta(y), tree(y.grad_fn), tree(z.grad_fn), z._version


@case
def constants_become_results() -> Any:
    x = leaf()
    a = torch.zeros(3)
    before = meta(a)
    a += x
    b = torch.ones(3)
    b *= x
    c = torch.zeros(2, 2)
    row = c[0]
    row.copy_(x[:2])
    d = torch.zeros(3)
    v = d[0]
    d.add_(x)
    return [
        before,
        meta(a),
        tree(a.grad_fn),
        meta(b),
        b.grad_fn._saved_self,
        b.grad_fn._saved_other,
        meta(c),
        tree(c.grad_fn),
        meta(row),
        tree(row.grad_fn),
        meta(v),
        tree(v.grad_fn),
    ]


CHANGES: dict[str, Op] = {
    "*= x": lambda y: y.mul_(leaf()),
    "*= 2": lambda y: y.mul_(2),
    "exp_": lambda y: y.exp_(),
    "sigmoid_": lambda y: y.sigmoid_(),
    "tanh_": lambda y: y.tanh_(),
    "relu_": lambda y: y.relu_(),
    "sqrt_": lambda y: y.sqrt_(),
    "log_": lambda y: y.log_(),
    "abs_": lambda y: y.abs_(),
    "neg_": lambda y: y.neg_(),
    "clamp_": lambda y: y.clamp_(0, 2),
    "pow_": lambda y: y.pow_(2),
    "/= x": lambda y: y.div_(leaf()),
    "/= 2": lambda y: y.div_(2),
    "zero_": lambda y: y.zero_(),
    "fill_": lambda y: y.fill_(3.0),
    "fill_ tensor": lambda y: y.fill_(torch.tensor(3.0, requires_grad=True)),
    "copy_": lambda y: y.copy_(torch.ones(3)),
    "copy_ x": lambda y: y.copy_(leaf()),
    "masked_fill_": lambda y: y.masked_fill_(torch.tensor([True, False, True]), 0.0),
    "y[mask] = 0": lambda y: y.__setitem__(torch.tensor([True, False, True]), 0.0),
    "y[[0, 1]] = ones": lambda y: y.__setitem__([0, 1], torch.ones(2)),
    "y[:] = 0": lambda y: y.__setitem__(slice(None), 0.0),
    "y[0] = 5": lambda y: y.__setitem__(0, 5.0),
    "y[0] = tensor": lambda y: y.__setitem__(0, torch.tensor(5.0)),
    "y[0] += 1": lambda y: y.__setitem__(0, y[0].__iadd__(1)),
    "data[0] += 1": lambda y: y.data.__setitem__(0, y.data[0].__iadd__(1)),
    "unsqueeze_": lambda y: y.unsqueeze_(0),
    "y *= y": lambda y: y.mul_(y),
}


@case
def graphs_after_changes() -> Any:
    seen = {}
    for label, change in CHANGES.items():
        x = leaf()
        y = x * 1
        change(y)
        graph = f"v{y._version} {tree(y.grad_fn)}"
        seen[label] = [graph, raised(lambda y=y: y.sum().backward()), x.grad]
    return seen


@case
def old_value_saved_as_a_copy() -> Any:
    x = leaf()
    y = x * 1
    y *= x
    z = x * 1
    z.pow_(2)
    return y.grad_fn._saved_self, tree(z.grad_fn), z.grad_fn._saved_self


def change(t: torch.Tensor) -> None:
    with torch.no_grad():
        t.add_(1)


@case
def modified_saved_tensors() -> Any:
    x = leaf()
    y = x * 1
    z = y * y
    y += 1
    once = raised(z.sum().backward)
    y += 1
    w = torch.ones(3)
    d = torch.ones(2, 3, dtype=torch.double)
    i = torch.tensor([0, 1])
    m = x > 1
    p = nn.Parameter(torch.ones(3))
    products = [x * w, x * d, x * x, x[i], torch.where(m, x, x * 2), x * p]
    for t in (w, d, i, p):
        change(t)
    m.zero_()
    change(x)
    return [
        once,
        raised(z.sum().backward),
        raised(lambda: z.grad_fn._saved_self),
        *[raised(t.sum().backward) for t in products],
    ]


@case
def modified_results() -> Any:
    seen = []
    x = leaf()
    y = x.exp()
    y *= 2
    seen.append(raised(y.sum().backward))
    y = x.exp()
    z = y * 2
    y += 1
    seen.append(raised(z.sum().backward))
    y = x.exp()
    change(y)
    seen.append(raised(y.sum().backward))
    y = x.tanh()
    r = y.unsqueeze(0)
    r.add_(1)
    seen.append(raised(y.sum().backward))
    y = x.softmax(0)
    with torch.no_grad():
        y[0] = 0
    seen.append(raised(y.sum().backward))
    a, b = rows().max(1)
    b.add_(1)
    seen.append(raised(a.sum().backward))
    return seen


@case
def modified_outputs_by_number() -> Any:
    _, m = torch.var_mean(leaf())
    z = m * m
    m.add_(1)
    s, _ = leaf().sort()
    w = s * s
    s.add_(1)
    _, n = torch.var_mean(leaf())
    u = n * n
    change(n)
    return raised(z.backward), raised(w.sum().backward), raised(u.backward)


@case
def modified_views() -> Any:
    seen = []
    y = leaf() * 1
    a, b, _ = y.unbind(0)
    z = a * b
    y.mul_(2)
    seen.append(raised(z.backward))
    y = leaf() * 1
    a, b = y.split(2)
    z = (b * b).sum()
    y.mul_(2)
    seen.append(raised(z.backward))
    x = leaf()
    v = x[0]
    z = v * v
    change(x)
    seen.append(raised(z.backward))
    x = torch.zeros(3)
    p = torch.tensor(1.0, requires_grad=True)
    s = torch.tensor(0.0)
    for k in range(3):
        x[k] = p * (k + 1)
        s = s + x[k] * x[k]
    seen.append(raised(s.backward))
    return seen


@case
def detached_saved_tensor() -> Any:
    x = leaf()
    y = x * 1
    z = (y * y).sum()
    y.detach_()
    w = x.exp()
    u = w.sum()
    w.detach_()
    u.backward()
    return raised(z.backward), x.grad


@case
def nothing_saved_nothing_noticed() -> Any:
    seen = []
    for f in (
        lambda y: y + y,
        lambda y: y * 2,
        lambda y: y.sum(),
        lambda y: y.mean(),
        lambda y: y.mean(0),
        lambda y: y**2,
        lambda y: y.view(3, 1),
        lambda y: torch.cat([y, y]),
    ):
        x = leaf()
        y = x * 1
        z = f(y)
        y += 1
        seen.append([raised(z.sum().backward), x.grad])
    return seen


@case
def optimizer_step_between() -> Any:
    x = torch.rand(2, 3)
    m = nn.Linear(3, 1)
    z = m(x).sum()
    z.backward(retain_graph=True)
    with torch.no_grad():
        for p in m.parameters():
            p.add_(p.grad, alpha=-0.1)
    z.backward()
    h = nn.Sequential(nn.Linear(3, 4), nn.Linear(4, 1))
    z = h(x).sum()
    z.backward(retain_graph=True)
    with torch.no_grad():
        for p in h.parameters():
            p.add_(p.grad, alpha=-0.1)
    return raised(z.backward)


@case
def overwriting_elements_in_a_loop() -> Any:
    x = torch.zeros(3)
    p = torch.tensor(1.0, requires_grad=True)
    for k in range(3):
        x[k] = p * (k + 1)
    x.sum().backward()
    return tree(x.grad_fn), p.grad, x._version
