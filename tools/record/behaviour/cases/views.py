"""Views: in-place changes rewrite the history of the base; creation kinds."""

from __future__ import annotations

from typing import Any

import torch

from kit import case, leaf, meta, raised, rows, scalar, tree


@case
def change_of_a_view() -> Any:
    x = leaf()
    y = x * 1
    v = y[0]
    fn = y.grad_fn
    v.mul_(5)
    seen = [tree(y.grad_fn), meta(y), tree(v.grad_fn), meta(v), y.grad_fn is fn, y, v]
    y.sum().backward()
    return seen + [x.grad]


@case
def element_assigned() -> Any:
    x = leaf()
    y = x * 1
    s = scalar(7.0)
    y[0] = s
    graph = tree(y.grad_fn)
    y.sum().backward()
    return graph, x.grad, s.grad


@case
def slice_assigned() -> Any:
    x = leaf()
    y = x * 1
    y[0:2] = x[1:] * 10
    graph = tree(y.grad_fn)
    (y * torch.tensor([1.0, 10.0, 100.0])).sum().backward()
    return graph, x.grad


@case
def element_of_a_constant_assigned() -> Any:
    z = torch.zeros(3)
    s = scalar(7.0)
    z[1] = s
    seen = [meta(z), tree(z.grad_fn)]
    z.sum().backward()
    return seen + [s.grad]


@case
def two_views_one_changed() -> Any:
    x = leaf()
    y = x * 1
    v = y.view(3)
    w = y[1:]
    v.add_(1)
    return tree(y.grad_fn), tree(v.grad_fn), tree(w.grad_fn)


@case
def view_of_a_view_changed() -> Any:
    x = rows()
    y = x * 1
    v = y[0]
    w = v[1]
    w.mul_(10)
    graphs = [tree(t.grad_fn) for t in (y, v, w)]
    (v * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
    return graphs + [x.grad]


@case
def base_changed() -> Any:
    x = leaf()
    y = x * 1
    v = y[0]
    y.mul_(2)
    seen = [tree(v.grad_fn), meta(v), v]
    v.backward()
    return seen + [x.grad]


@case
def base_changed_under_a_transpose() -> Any:
    x = rows()
    y = x * 1
    v = y.t()
    y.mul_(2)
    fn = v.grad_fn
    seen = [tree(fn), fn._saved_size, fn._saved_stride, fn._saved_storage_offset]
    (v * torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])).sum().backward()
    return seen + [x.grad]


@case
def rows_changed_one_after_the_other() -> Any:
    x = rows()
    y = x * 1
    a = y[0]
    a.mul_(2)
    b = y[1]
    b.mul_(3)
    graphs = [tree(t.grad_fn) for t in (y, a, b)]
    y.sum().backward()
    return graphs + [x.grad]


@case
def column_changed() -> Any:
    x = rows()
    y = x * 1
    y.t()[1].mul_(y.t()[0])
    y.sum().backward()
    return tree(y.grad_fn), x.grad


@case
def base_with_an_offset() -> Any:
    x = leaf(1.0, 2.0, 3.0, 4.0)
    y = (x * 1)[1:].detach()
    y.requires_grad_()
    z = y.expand_as(y) * 1
    v = z[1:]
    v.mul_(10)
    z.sum().backward()
    return y.grad, meta(v)


@case
def view_of_a_constant_gets_history() -> Any:
    a = torch.zeros(3)
    v = a[0]
    v.add_(scalar(1.0))
    return meta(a), tree(a.grad_fn), tree(v.grad_fn)


@case
def copy_slices() -> Any:
    y = leaf() * 1
    v = y[0]
    v.mul_(5)
    fn = y.grad_fn
    seen = [fn.name(), v.grad_fn.name(), raised(lambda: fn._saved_self)]
    y.sum().backward()
    return seen + [raised(y.sum().backward)]


@case
def copy_slices_that_save_nothing() -> Any:
    y = leaf() + 1
    v = y[0]
    v.add_(5)
    y.sum().backward()
    return raised(y.sum().backward)


@case
def leaf_changed_under_no_grad() -> Any:
    x = leaf()
    v = x[0]
    with torch.no_grad():
        x.add_(1)
    return tree(v.grad_fn), meta(v), v


@case
def base_of_changed_view_used_before() -> Any:
    x = leaf()
    y = x * 1
    z = y.sum()
    y[0].mul_(2)
    (z + y.sum()).backward()
    return x.grad, tree(z.grad_fn)


@case
def multiple_outputs() -> Any:
    def unpacked() -> Any:
        a, _, _ = leaf() * 1
        a.mul_(2)

    def iterated() -> Any:
        for row in rows() * 1:
            row.add_(1)

    def leaf_iterated() -> Any:
        for e in leaf():
            e.add_(1)

    def plain() -> Any:
        x = torch.zeros(4)
        x.split(2)[1].add_(1)
        return x

    return [
        raised(lambda: (leaf() * 1).unbind(0)[0].add_(1)),
        raised(unpacked),
        raised(lambda: (leaf(1.0, 2.0, 3.0, 4.0) * 1).split(2)[1].mul_(2)),
        raised(lambda: (leaf(1.0, 2.0, 3.0, 4.0) * 1).chunk(2)[1].add_(1)),
        raised(iterated),
        raised(leaf_iterated),
        raised(plain),
        raised(lambda: torch.zeros(4).split(2)[1].add_(leaf(1.0, 1.0))),
    ]


@case
def multiple_outputs_after_the_base_changed() -> Any:
    y = leaf(1.0, 2.0, 3.0, 4.0) * 1
    a, b = y.split(2)
    y.add_(1)
    return [
        raised(lambda: a.grad_fn),
        raised(lambda: b.is_leaf),
        raised(lambda: a),
        raised(lambda: a * 2),
        raised(a.item) if a.numel() == 1 else raised(a.tolist),
        raised(a.detach),
        raised(lambda: a.requires_grad),
    ]


@case
def views_of_one_output_views() -> Any:
    y = leaf(1.0, 2.0, 3.0, 4.0) * 1
    a, _ = y.split(2)
    v = a[0]
    return meta(v), raised(lambda: v.add_(1))


@case
def no_grad_views() -> Any:
    def under_no_grad() -> Any:
        p = leaf()
        with torch.no_grad():
            v = p[0]
            v.add_(1)
        return v

    def normal_view_changed_under_no_grad() -> Any:
        y = leaf() * 1
        v = y[0]
        with torch.no_grad():
            v.add_(1)
        return tree(v.grad_fn), tree(y.grad_fn), v

    def of_a_result() -> Any:
        y = leaf() * 1
        with torch.no_grad():
            v = y[0]
        return v.add_(1)

    def base_changed() -> Any:
        y = leaf() * 1
        with torch.no_grad():
            v = y[0]
        y.add_(1)
        return v.grad_fn

    def of_a_constant() -> Any:
        b = torch.ones(2)
        with torch.no_grad():
            v = b[0]
        v.add_(1)
        return v, raised(lambda: v.add_(scalar(1.0)))

    cases = (under_no_grad, normal_view_changed_under_no_grad, of_a_result)
    return [raised(f) for f in (*cases, base_changed, of_a_constant)]


@case
def detached_views_are_no_views() -> Any:
    y = leaf() * 1
    d = y.detach()
    d.add_(1)
    return meta(d), meta(y), tree(y.grad_fn)


@case
def stale_view_in_the_graph() -> Any:
    x = leaf()
    y = x * 1
    v = y[:2]
    z = v * 3
    y.mul_(2)
    (z.sum() + v.sum()).backward()
    return x.grad, tree(z.grad_fn), tree(v.grad_fn)


@case
def retained_grad_of_changed_tensors() -> Any:
    x = leaf()
    y = x * 1
    y.retain_grad()
    y.mul_(2)
    v = y[0]
    v.retain_grad()
    v.mul_(5)
    w = y[1]
    w.retain_grad()
    y.add_(1)
    (y.sum() + v * 2 + w * 3).backward()
    return x.grad, y.grad, v.grad, w.grad, [t.retains_grad for t in (y, v, w)]


@case
def view_whose_base_got_history() -> Any:
    def view() -> torch.Tensor:
        a = torch.zeros(3)
        v = a[0]
        a.add_(leaf())
        return v

    def retained() -> Any:
        v = view()
        v.retain_grad()
        (v * 2).backward()
        return v.grad, v.retains_grad

    return [
        raised(lambda: view().mul_(2)),
        raised(lambda: view().requires_grad_(False)),
        raised(lambda: setattr(view(), "requires_grad", True)),
        raised(lambda: view().grad),
        raised(retained),
        raised(lambda: view().is_leaf),
        raised(lambda: meta(view() * 2)),
    ]
