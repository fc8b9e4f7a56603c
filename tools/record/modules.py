"""Records what small programs with torch.nn print in PyTorch 2.6.

    python3 tools/record/modules.py > autograd/nn/testdata/modules.json

The programs of this file are written a second time in Go (modules_test.go).
"""

from __future__ import annotations

import collections
import json
import sys
import warnings
from collections.abc import Callable
from typing import Any

import torch
from torch import nn

Program = Callable[[], Any]
PROGRAMS: dict[str, Program] = {}


def program(f: Program) -> Program:
    PROGRAMS[f.__name__] = f
    return f


def show(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(show(v) for v in value) + "]"
    return value if isinstance(value, str) else repr(value)


def error(f: Program) -> str:
    try:
        return show(f())
    except Exception as e:
        return f"{type(e).__name__}: {e}"


def tree(fn: Any) -> str:
    if fn is None:
        return "None"
    below = [tree(f) + (f":{i}" if i else "") for f, i in fn.next_functions]
    name = fn.name().removeprefix("torch::autograd::")
    return name + (f"({', '.join(below)})" if below else "")


def linear() -> nn.Linear:
    """A linear layer of whole numbers: weight [[1, 2], [3, 4]], bias [5, 6]."""
    m = nn.Linear(2, 2)
    with torch.no_grad():
        m.weight.copy_(torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
        m.bias.copy_(torch.tensor([5.0, 6.0]))
    return m


def row(*values: float) -> torch.Tensor:
    return torch.tensor([values], requires_grad=True)


@program
def forward_hooks() -> Any:
    log: list[Any] = []
    m = linear()

    def pre(_m: nn.Module, args: Any) -> Any:
        log.append(["pre", args[0]])
        return (args[0] * 2,)

    def watch(_m: nn.Module, args: Any, out: Any) -> None:
        log.append(["after", args[0], out])

    def replace(_m: nn.Module, _args: Any, out: Any) -> Any:
        return out + 1

    first = m.register_forward_pre_hook(pre)
    m.register_forward_hook(replace)
    m.register_forward_hook(watch)
    x = row(1.0, 1.0)
    out = [m(x)]
    first.remove()
    out.append(m(x))
    return [log, out]


@program
def full_backward_hook() -> Any:
    log: list[Any] = []
    m = linear()
    m.register_full_backward_hook(lambda m, gi, go: log.append([type(m).__name__, gi, go]))
    x = row(1.0, -1.0)
    y = m(x)
    graph = tree(y.grad_fn)
    y.sum().backward()
    return [graph, log, x.grad, m.weight.grad]


@program
def full_backward_hook_replaces_the_gradient() -> Any:
    m = linear()
    m.register_full_backward_hook(lambda _m, gi, _go: (gi[0] * 10,))
    m.register_full_backward_hook(lambda _m, gi, _go: (gi[0] + 1,))
    m.register_full_backward_pre_hook(lambda _m, go: (go[0] * 2,))
    x = row(1.0, -1.0)
    m(x).sum().backward()
    return [x.grad, m.weight.grad, m.bias.grad]


@program
def full_backward_hook_without_input_gradients() -> Any:
    log: list[Any] = []
    m = linear()
    m.register_full_backward_hook(lambda _m, gi, go: log.append([gi, go]))
    x = torch.ones(1, 2)
    y = m(x)
    graph = tree(y.grad_fn)
    y.sum().backward()
    return [graph, log]


@program
def full_backward_hook_with_the_wrong_number_of_gradients() -> Any:
    m = linear()
    m.register_full_backward_hook(lambda _m, gi, _go: (gi[0], gi[0]))
    n = linear()
    n.register_full_backward_pre_hook(lambda _m, go: (go[0], go[0]))
    p = linear()
    p.register_full_backward_hook(lambda _m, _gi, go: (go[0],))
    return [
        error(lambda: m(row(1.0, 1.0)).sum().backward()),
        error(lambda: n(row(1.0, 1.0)).sum().backward()),
        error(lambda: p(torch.ones(1, 2)).sum().backward()),
    ]


@program
def in_place_after_a_full_backward_hook() -> Any:
    m = linear()
    m.register_full_backward_hook(lambda _m, _gi, _go: None)
    y = m(row(1.0, 1.0))
    relu = nn.ReLU(inplace=True)
    relu.register_full_backward_hook(lambda _m, _gi, _go: None)
    return [error(lambda: y.add_(1)), error(lambda: relu(row(1.0, 1.0) * 2))]


@program
def hooks_without_grad_mode() -> Any:
    log: list[Any] = []
    m = linear()
    m.register_full_backward_hook(lambda _m, gi, go: log.append([gi, go]))
    with torch.no_grad():
        y = m(row(1.0, 1.0))
    return [y, log]


@program
def shared_parameters_count_once() -> Any:
    a, b = nn.Linear(2, 2), nn.Linear(2, 2)
    b.weight = a.weight
    m = nn.Sequential(a, b, a)
    return [
        [n for n, _ in m.named_parameters()],
        len(list(m.parameters())),
        list(m.state_dict()),
        [n for n, _ in m.named_modules()],
        [n for n, _ in m.named_children()],
        len(list(m.children())),
        len(m),
    ]


@program
def assignments() -> Any:
    m = linear()
    m.register_buffer("seen", torch.zeros(1))
    m.child = nn.Tanh()

    def assign(name: str, value: Any) -> Program:
        return lambda: setattr(m, name, value)

    out = [
        error(assign("weight", torch.ones(1))),
        error(assign("weight", 3)),
        error(assign("weight", None)),
        error(assign("child", 1.5)),
        error(assign("seen", "yes")),
        error(assign("seen", torch.ones(2))),
        error(assign("note", "free")),
        error(lambda: m.nope),
        error(lambda: delattr(m, "nope")),
        error(lambda: delattr(m, "weight")),
        error(assign("weight", torch.ones(1))),
        m.weight,
        m.seen,
        m.note,
        [n for n, _ in m.named_parameters()],
        list(m.state_dict()),
    ]
    m.child = None
    m.bias = None
    return [*out, m, [n for n, _ in m.named_modules()]]


@program
def registrations() -> Any:
    m = linear()
    m.note = 1
    p = nn.Parameter(torch.ones(1))
    return [
        error(lambda: m.register_parameter("a", torch.ones(1))),
        error(lambda: m.register_parameter("a.b", p)),
        error(lambda: m.register_parameter("", p)),
        error(lambda: m.register_parameter("training", p)),
        error(lambda: m.register_parameter("note", p)),
        error(lambda: m.register_parameter("forward", p)),
        error(lambda: m.register_buffer("weight", torch.ones(1))),
        error(lambda: m.register_buffer("a.b", None)),
        error(lambda: m.register_buffer("", None)),
        error(lambda: m.add_module("a.b", nn.Tanh())),
        error(lambda: m.add_module("", nn.Tanh())),
        error(lambda: m.add_module("weight", nn.Tanh())),
        error(lambda: m.register_parameter("weight", p)),
        m.weight,
        error(lambda: m.get_submodule("x.y")),
        error(lambda: m.get_submodule("weight")),
        error(lambda: nn.Module()(1)),
    ]


class Lazy(nn.Module):
    """A module whose __init__ has not run."""

    def __init__(self) -> None:
        pass


@program
def assignments_before_init() -> Any:
    m = Lazy()
    p = nn.Parameter(torch.ones(1))
    return [
        error(lambda: setattr(m, "p", p)),
        error(lambda: setattr(m, "child", nn.Tanh())),
        error(lambda: m.register_parameter("p", p)),
        error(lambda: m.register_buffer("b", None)),
    ]


@program
def modes_and_order() -> Any:
    m = nn.Sequential(nn.Dropout(0.5), nn.Sequential(nn.Linear(1, 1), nn.Dropout(0.1)))
    order: list[str] = []
    m.apply(lambda m: order.append(type(m).__name__))
    m.eval()
    off = [c.training for c in m.modules()]
    m[1].train()
    on = [c.training for c in m.modules()]
    m.requires_grad_(False)
    return [order, off, on, [p.requires_grad for p in m.parameters()], m.get_submodule("1.0")]


@program
def zeroing() -> Any:
    m = linear()
    m(row(1.0, 2.0)).sum().backward()
    g = m.weight.grad
    m.zero_grad(set_to_none=False)
    kept = [m.weight.grad is g, m.weight.grad, g._version]
    m.zero_grad()
    return [kept, m.weight.grad]


@program
def conversion() -> Any:
    m = nn.BatchNorm1d(2)
    w = m.weight
    m.double()
    same = [m.weight is w, w.dtype, w._version, m.running_mean.dtype, m.num_batches_tracked.dtype]
    return [same, m.float().weight, error(lambda: m.to(torch.int64))]


@program
def loading() -> Any:
    m = nn.Sequential(linear(), nn.BatchNorm1d(2))
    state = m.state_dict()
    fresh = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
    result = fresh.load_state_dict(state)
    loaded = [
        [list(result.missing_keys), list(result.unexpected_keys)],
        fresh[0].weight,
        fresh[0].weight._version,
        list(state),
        state["0.weight"].requires_grad,
        state["0.weight"].data_ptr() == m[0].weight.data_ptr(),
    ]
    broken = collections.OrderedDict(state)
    del broken["1.bias"]
    broken["0.extra"] = torch.ones(1)
    broken["other"] = torch.ones(1)
    broken["0.weight"] = torch.ones(3, 2)
    errors = [
        error(lambda: fresh.load_state_dict(broken)),
        error(lambda: fresh.load_state_dict(broken, strict=False)),
    ]
    partial = collections.OrderedDict({"0.bias": torch.zeros(2), "x": torch.ones(1)})
    partial._metadata = state._metadata
    missing, unexpected = fresh.load_state_dict(partial, strict=False)
    return [
        loaded,
        *errors,
        [missing, unexpected, fresh[0].bias],
    ]


@program
def buffers() -> Any:
    m = nn.Module()
    m.register_buffer("kept", torch.ones(1))
    m.register_buffer("fleeting", torch.ones(2), persistent=False)
    m.register_buffer("empty", None)
    before = [[n for n, _ in m.named_buffers()], list(m.state_dict())]
    m.empty = torch.zeros(1)
    return [before, [n for n, _ in m.named_buffers()], list(m.state_dict())]


@program
def printing() -> Any:
    inner = nn.Sequential(collections.OrderedDict([("lin", nn.Linear(1, 2)), ("act", nn.ReLU())]))
    return [
        nn.Sequential(inner, nn.Flatten(), nn.Sequential()),
        nn.ModuleList([nn.Tanh(), nn.Tanh(), nn.Linear(1, 1), inner, nn.Tanh()]),
        nn.ModuleList(),
        nn.ModuleDict({"a": nn.Tanh(), "b": inner}),
        nn.ParameterList([nn.Parameter(torch.ones(2, 3)), nn.Parameter(torch.tensor(1.0))]),
        nn.ParameterDict({"w": nn.Parameter(torch.ones(2))}),
        nn.Parameter(torch.tensor([1.0, 2.0])),
        nn.Parameter(torch.tensor(1.0), requires_grad=False),
    ]


class Custom(nn.Module):
    """A module of the program's own."""

    def __init__(self) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.tensor(2.0))
        self.lin = linear()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.lin(x) * self.scale

    def extra_repr(self) -> str:
        return "scale\ntwo lines"


@program
def custom_modules() -> Any:
    m = Custom()
    y = m(row(1.0, 0.0))
    y.sum().backward()
    return [m, y, m.scale.grad, [n for n, _ in m.named_parameters()]]


@program
def containers() -> Any:
    m = nn.Sequential(nn.Linear(1, 2), nn.ReLU(), nn.Tanh())
    m.append(nn.Sigmoid())
    names = [type(m[0]).__name__, type(m[-1]).__name__, len(m)]
    many = nn.ModuleList([nn.Tanh()])
    many.append(nn.ReLU())
    named = nn.ModuleDict({"a": nn.Tanh()})
    return [
        names,
        error(lambda: m[4]),
        error(lambda: m[-5]),
        error(lambda: many[2]),
        m[1:3],
        many[1:],
        error(lambda: many(1)),
        error(lambda: named["b"]),
        named["a"],
    ]


def graded() -> list[torch.Tensor]:
    params = [torch.zeros(2), torch.zeros(3), torch.zeros(1)]
    params[0].grad = torch.tensor([3.0, -4.0])
    params[1].grad = torch.tensor([0.5, 1.5, -2.5])
    return params


@program
def clipping_norms() -> Any:
    out = []
    for limit, kind in ((1.0, 2.0), (100.0, 2.0), (1.0, float("inf")), (2.0, 1.0)):
        params = graded()
        norm = nn.utils.clip_grad_norm_(params, limit, norm_type=kind)
        out.append([norm, [p.grad for p in params], params[0].grad._version])
    params = graded()
    params[0].grad[0] = float("nan")
    out.append(error(lambda: nn.utils.clip_grad_norm_(params, 1.0, error_if_nonfinite=True)))
    out.append(nn.utils.clip_grad_norm_([torch.zeros(1)], 1.0))
    return out


@program
def clipping_values() -> Any:
    params = graded()
    nn.utils.clip_grad_value_(params, 1.0)
    return [[p.grad for p in params], params[0].grad._version]


def filled(f: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    torch.manual_seed(0)
    t = torch.zeros(2, 3)
    f(t, *args, **kwargs)
    return [t.tolist(), t._version]


@program
def a_step_between_forward_and_a_second_backward() -> Any:
    m = nn.Sequential(linear(), nn.Tanh(), linear())
    sgd = torch.optim.SGD(m.parameters(), lr=0.1)
    loss = m(row(1.0, -1.0)).sum()
    loss.backward(retain_graph=True)
    sgd.step()
    failure = error(loss.backward)
    alone = linear()
    y = alone(torch.ones(1, 2)).sum()
    y.backward(retain_graph=True)
    torch.optim.Adam(alone.parameters()).step()
    y.backward()
    return [failure, alone.weight.grad, alone.weight._version, alone.weight]


@program
def initialisers() -> Any:
    init = nn.init
    return [
        filled(init.uniform_, -1.0, 2.0),
        filled(init.normal_, 1.0, 0.5),
        filled(init.trunc_normal_, 0.0, 1.0, -0.5, 0.5),
        filled(init.constant_, 3.5),
        filled(init.ones_),
        filled(init.zeros_),
        filled(init.eye_),
        filled(init.xavier_uniform_),
        filled(init.xavier_normal_, gain=2.0),
        filled(init.kaiming_uniform_, a=0.5),
        filled(init.kaiming_normal_, mode="fan_out", nonlinearity="relu"),
    ]


@program
def orthogonal_initialisers() -> Any:
    out = []
    for shape, gain in (((2, 3), 1.0), ((3, 2), 2.0), ((2, 2, 2), 1.0)):
        torch.manual_seed(0)
        t = nn.init.orthogonal_(torch.zeros(shape), gain=gain)
        out.append([t, t._version])
    return out


@program
def bad_initialisers() -> Any:
    init = nn.init
    t = torch.zeros(2, 3)
    return [
        error(lambda: init.xavier_uniform_(torch.zeros(2))),
        error(lambda: init.kaiming_normal_(torch.zeros(2))),
        error(lambda: init.kaiming_uniform_(t, mode="fan")),
        error(lambda: init.kaiming_uniform_(t, nonlinearity="swish")),
        error(lambda: init.eye_(torch.zeros(2))),
        error(lambda: init.orthogonal_(torch.zeros(2))),
        [float(init.calculate_gain(n)) for n in ("linear", "sigmoid", "tanh", "relu", "leaky_relu", "selu")],
        init.calculate_gain("leaky_relu", 0.5),
    ]


def main() -> None:
    warnings.simplefilter("ignore")
    records = {}
    for name, f in PROGRAMS.items():
        torch.manual_seed(0)
        records[name] = show(f())
    json.dump(records, sys.stdout, indent=1)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
