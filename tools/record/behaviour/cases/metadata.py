"""What tensors say about themselves, and what shares memory and version counters."""

from __future__ import annotations

import copy
from typing import Any

import torch
from torch import nn

from kit import case, leaf, meta, name, raised, show, tree


@case
def kinds_of_tensors() -> Any:
    x = leaf()
    y = x * 2
    return {
        "leaf": meta(x),
        "constant": meta(torch.ones(2)),
        "result": meta(y),
        "view": meta(x[0]),
        "detached": meta(x.detach()),
        "data": meta(x.data),
        "clone": meta(x.clone()),
        "detached clone": meta(x.detach().clone()),
        "Parameter": meta(nn.Parameter(x)),
        "Parameter(False)": meta(nn.Parameter(x, False)),
        "Parameter of a result": meta(nn.Parameter(y)),
        "Parameter's data": meta(nn.Parameter(x).data),
    }


@case
def results_without_history() -> Any:
    x = leaf()
    return [
        meta(t)
        for t in (x > 0, x.argmax(), x.long(), torch.zeros_like(x), x.detach(), x.isnan())
    ]


@case
def results_with_zero_gradient() -> Any:
    x = leaf(1.0, 1.0)
    return x.floor(), x.round(), x.sign(), x // 1, torch.ones_like(x, requires_grad=True)


@case
def same_object_comes_back() -> Any:
    x = leaf()
    return {
        "to(same)": x.to(torch.float32) is x,
        "float()": x.float() is x,
        "contiguous()": x.contiguous() is x,
        "+x": +x is x,
        "flatten of 1-D": x.flatten() is x,
        "dropout in eval": torch.nn.functional.dropout(x, 0.5, False) is x,
        "reshape(same)": x.reshape(3) is x,
        "view_as": x.view_as(x) is x,
        "double()": x.double() is x,
    }


@case
def requires_grad_of_results() -> Any:
    x = leaf()
    y = x * 2
    return [
        raised(lambda: setattr(y, "requires_grad", False)),
        raised(lambda: setattr(y, "requires_grad", True)),
        raised(lambda: y.requires_grad_(False)),
        raised(lambda: y.requires_grad_() is y),
    ]


@case
def requires_grad_of_integers() -> Any:
    return [
        raised(lambda: setattr(torch.tensor([1]), "requires_grad", True)),
        raised(lambda: torch.tensor([1]).requires_grad_()),
        raised(lambda: torch.tensor([1]).requires_grad_(False)),
        raised(lambda: torch.tensor([1], requires_grad=True)),
        raised(lambda: torch.tensor([True], requires_grad=True)),
        raised(lambda: torch.zeros(2, dtype=torch.int64, requires_grad=True)),
        raised(lambda: torch.arange(3, requires_grad=True)),
        raised(lambda: nn.Parameter(torch.tensor([1]))),
        raised(lambda: nn.Parameter(torch.tensor([1]), requires_grad=False)),
    ]


@case
def requires_grad_takes_a_bool() -> Any:
    x = leaf()
    return [raised(lambda v=v: setattr(x, "requires_grad", v)) for v in ("a", 1, None)]


@case
def read_only_attributes() -> Any:
    x = leaf()
    names = ("grad_fn", "is_leaf", "_version", "retains_grad", "output_nr")
    return [raised(lambda n=n: setattr(x, n, True)) for n in names]


@case
def unknown_attribute() -> Any:
    return raised(lambda: leaf().foo), raised(lambda: (leaf() * 2).grad_fn.foo)


@case
def requires_grad_set_after_forward() -> Any:
    x = torch.ones(3)
    y = x * 2
    x.requires_grad_()
    return raised(lambda: y.sum().backward()), meta(x), meta(y)


@case
def requires_grad_cleared_after_forward() -> Any:
    x = leaf()
    y = x * 2
    x.requires_grad_(False)
    y.sum().backward()
    return x.grad, meta(x)


@case
def grad_of_a_result_warns_each_time() -> Any:
    y = leaf() * 2
    return y.grad, y.grad, y.detach().grad


@case
def retains_grad() -> Any:
    x = leaf()
    z = x * 2
    z.retain_grad()
    x.retain_grad()
    return z.grad, z.retains_grad, x.retains_grad, raised(torch.ones(2).retain_grad)


@case
def assigning_grad() -> Any:
    x = leaf()
    g = torch.ones(3)
    x.grad = g
    same = x.grad is g
    x.grad = None
    y = x * 2
    y.grad = g
    plain = torch.ones(3)
    plain.grad = torch.ones(3)
    x.grad = x * 2
    return same, y.grad, plain.grad, plain.requires_grad, x.grad


@case
def assigning_wrong_grad() -> Any:
    x = leaf()
    wrong = (torch.ones(2), torch.ones(3, dtype=torch.double), 1, "g", x)
    return [raised(lambda g=g: setattr(x, "grad", g)) for g in wrong]


@case
def deleting_grad() -> Any:
    x = leaf()
    x.sum().backward()
    g = x.grad
    del x.grad
    return x.grad, g


def sharing(s: torch.Tensor, x: torch.Tensor) -> str:
    versions = [(x._version, s._version)]
    with torch.no_grad():
        x.add_(1)
        versions.append((x._version, s._version))
        s.add_(1)
        versions.append((x._version, s._version))
    memory = "memory" if s.data_ptr() == x.data_ptr() else "copy"
    return f"{memory} {show(versions)} base {s._base is x}"


@case
def sharing_of_memory_and_versions() -> Any:
    ways = {
        "view(-1)": lambda x: x.view(-1),
        "x[:]": lambda x: x[:],
        "x[0]": lambda x: x[0],
        "detach()": lambda x: x.detach(),
        "data": lambda x: x.data,
        "clone()": lambda x: x.clone(),
        "detach().clone()": lambda x: x.detach().clone(),
        "reshape": lambda x: x.reshape(2, 2),
        "t()": lambda x: x.t(),
        "expand": lambda x: x.expand(4),
        "contiguous()": lambda x: x.contiguous(),
        "Parameter(x)": lambda x: nn.Parameter(x),
        "Parameter(x).data": lambda x: nn.Parameter(x).data,
        "to(float32)": lambda x: x.to(torch.float32),
        "to(float64)": lambda x: x.to(torch.float64),
        "float()": lambda x: x.float(),
        "view(2, 2).detach()": lambda x: x.view(2, 2).detach(),
        "unbind()[0]": lambda x: x.unbind(0)[0],
        "split(2)[0]": lambda x: x.split(2)[0],
        "view(2, 2).diagonal()": lambda x: x.view(2, 2).diagonal(),
        "view_as": lambda x: x.view_as(x),
        "narrow": lambda x: x.narrow(0, 0, 2),
        "squeeze": lambda x: x.squeeze(),
        "flatten": lambda x: x.flatten(),
        "T": lambda x: x.T,
        "requires_grad_(False)": lambda x: x.requires_grad_(False),
        "copy.copy": lambda x: copy.copy(x),
        "copy.deepcopy": lambda x: copy.deepcopy(x),
    }
    seen = {}
    for label, way in ways.items():
        x = torch.ones(4)
        x.add_(1)
        seen[label] = sharing(way(x), x)
    return seen


@case
def assigning_data() -> Any:
    x = torch.ones(2, requires_grad=True)
    x.data.add_(5)
    seen: list[Any] = [x.clone(), x._version]
    x.data = torch.zeros(3)
    seen += [x, x._version]
    y = torch.ones(2, requires_grad=True)
    y.data = torch.zeros(2, dtype=torch.double)
    seen += [y, y._version]
    return seen


@case
def assigning_data_keeps_the_counter() -> Any:
    x = torch.ones(2)
    x.add_(1)
    n = torch.zeros(2)
    n.add_(1)
    n.add_(1)
    x.data = n
    seen = [x._version, n._version]
    n.add_(3)
    return seen + [x._version, n._version, x]


@case
def changes_through_data_go_unnoticed() -> Any:
    x = torch.ones(2, requires_grad=True)
    y = x * 1
    z = y * y
    y.data.mul_(5)
    z.sum().backward()
    return x.grad, y._version


@case
def changes_through_detach_are_noticed() -> Any:
    x = torch.ones(2, requires_grad=True)
    y = x * 1
    z = y * y
    y.detach().mul_(5)
    z.sum().backward()


@case
def detach_in_place() -> Any:
    x = leaf()
    y = x * 2
    y.detach_()
    x.detach_()
    return meta(y), meta(x), raised(lambda: (leaf() * 2)[0].detach_()), raised(
        lambda: torch.ones(2)[0].detach_()
    )


@case
def copies() -> Any:
    a = leaf()
    a.sum().backward()
    shallow, deep = copy.copy(a), copy.deepcopy(a)
    p = nn.Parameter(torch.ones(2))
    p.sum().backward()
    q = copy.deepcopy(p)
    y = a * 2
    return [
        meta(shallow),
        shallow.grad,
        shallow.data_ptr() == a.data_ptr(),
        meta(deep),
        deep.grad,
        deep.grad is a.grad,
        deep.data_ptr() == a.data_ptr(),
        q,
        meta(q),
        q.grad,
        meta(copy.copy(y)),
        raised(lambda: copy.deepcopy(y)),
    ]


@case
def parameter_shares_the_version() -> Any:
    a = torch.ones(2)
    a.add_(1)
    p = nn.Parameter(a)
    seen: list[Any] = [a._version, p._version]
    with torch.no_grad():
        p.add_(1)
    seen += [a._version, p._version]
    a.mul_(2)
    return seen + [a._version, p._version, p, p._is_view()]


@case
def parameter_drops_hooks_and_grad() -> Any:
    a = torch.ones(2, requires_grad=True)
    a.register_hook(lambda g: g * 10)
    a.grad = torch.ones(2)
    p = nn.Parameter(a)
    (p * 1).sum().backward()
    return p.grad, a.grad


@case
def tensor_of_tensors() -> Any:
    x = leaf()
    return [
        torch.tensor(x),
        torch.tensor(x, requires_grad=True),
        torch.tensor(x * 2),
        torch.tensor([x[0], x[1]]),
        torch.tensor([torch.tensor(1.0), torch.tensor(2.0, requires_grad=True)]),
    ]


@case
def leaving_tensors() -> Any:
    x = leaf()
    return [
        raised(x.item),
        torch.tensor([[2.5]], requires_grad=True).item(),
        raised(lambda: bool(x)),
        bool(torch.tensor([0.0])),
        raised(lambda: bool(torch.tensor([]))),
        raised(x.numpy),
        x.tolist(),
        raised(lambda: len(torch.tensor(1.0))),
        raised(lambda: list(torch.tensor(1.0))),
        f"{torch.tensor(1.23456, requires_grad=True):.2f}",
        f"{torch.tensor(3.5)}",
        raised(lambda: f"{x:.2f}"),
        f"{x}",
    ]


@case
def view_made_a_leaf() -> Any:
    b = torch.ones(2)
    v = b[0]
    v.requires_grad_()
    seen = [meta(v), meta(b)]
    b.add_(1)
    return seen + [meta(b), meta(v)]


@case
def nodes() -> Any:
    x = leaf()
    y = x * torch.ones(3)
    fn = y.grad_fn
    acc = fn.next_functions[0][0]
    return [
        fn.name(),
        name(fn),
        acc.name(),
        [(name(f), i) for f, i in fn.next_functions],
        acc.variable is x,
        acc is (x * 3).grad_fn.next_functions[0][0],
        y.grad_fn is fn,
        acc.next_functions,
    ]


@case
def output_numbers() -> Any:
    x = leaf(1.0, 2.0, 3.0, 4.0)
    a, b = x.split(2)
    return meta(a), meta(b), tree((a * b).grad_fn), [t.output_nr for t in x.unbind()]


@case
def sequence_numbers() -> Any:
    x = leaf()
    a = x * 1
    b = x * 1
    v = b[0]
    b.add_(1)
    c = v * 2
    first = a.grad_fn._sequence_nr()
    return [t.grad_fn._sequence_nr() - first for t in (a, b, c, v)] + [
        a.grad_fn.next_functions[0][0]._sequence_nr()
    ]


@case
def bases_of_views() -> Any:
    x = leaf()
    y = x * 1
    v = y[0:2]
    w = v[0]
    d = y.detach()
    return [
        v._base is y,
        w._base is y,
        y._base is None,
        x[0]._base is x,
        d._base is None,
        d._is_view(),
        d[0]._base is d,
        tree(w.grad_fn),
        y.reshape(3, 1)._base is y,
    ]
