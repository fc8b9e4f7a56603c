"""The activations of torch.nn.functional and the softmax family."""

from __future__ import annotations

from kit import Family, Json, b, c, dt, i, inf, nan, nonleaf, turned, v, x, y

FAMILY = Family("activation")
add, fails = FAMILY.add, FAMILY.fails

# name: positional arguments after the input, kinks
ELEMENTWISE: dict[str, tuple[list[Json], list[float]]] = {
    "relu": ([], [0.0, -0.0]),
    "relu6": ([], [0.0, 6.0, 7.0]),
    "leaky_relu": ([], [0.0, -0.0]),
    "elu": ([], [0.0, -100.0]),
    "selu": ([], [0.0]),
    "celu": ([], [0.0]),
    "gelu": ([], [0.0, 10.0, -10.0]),
    "silu": ([], [0.0, 100.0, -100.0]),
    "mish": ([], [0.0, 30.0, -100.0]),
    "softplus": ([], [0.0, 20.0, 21.0, -30.0]),
    "softsign": ([], [0.0]),
    "softshrink": ([], [0.5, -0.5, 0.0]),
    "hardshrink": ([], [0.5, -0.5, 0.0]),
    "hardtanh": ([], [1.0, -1.0, 2.0]),
    "hardsigmoid": ([], [3.0, -3.0, 4.0]),
    "hardswish": ([], [3.0, -3.0, 0.0, 4.0]),
    "tanhshrink": ([], [0.0]),
    "threshold": ([0.1, 20.0], [0.1, 0.2]),
    "logsigmoid": ([], [0.0, 100.0, -100.0]),
    "sigmoid": ([], [0.0]),
    "tanh": ([], [0.0]),
}
for name, (extra, kinks) in ELEMENTWISE.items():
    fn = f"F.{name}"
    add("f32", fn, x(2, 3), *extra)
    add("f64", fn, x(4, dt="float64"), *extra)
    add("kink", fn, v([*kinks, nan, inf, -inf]), *extra)
    if name not in ("sigmoid", "tanh"):
        add("strided", fn, turned(x(2, 3)), *extra)
        add("0d", fn, x(), *extra)
for name in (
    "relu",
    "relu6",
    "leaky_relu",
    "elu",
    "selu",
    "celu",
    "silu",
    "mish",
    "hardtanh",
    "hardsigmoid",
    "hardswish",
    "threshold",
):
    extra = ELEMENTWISE[name][0]
    add("inplace", f"F.{name}", nonleaf(x(4)), *extra, inplace=True)
    fails("inplace-leaf", f"F.{name}", x(4), *extra, inplace=True)
for name in ("leaky_relu", "gelu", "silu", "softplus", "elu", "hardtanh", "logsigmoid"):
    target = add if name == "hardtanh" else fails
    target("int", f"F.{name}", i([1, -2]), *ELEMENTWISE[name][0])
add("int", "F.relu", i([1, -2]))
add("int", "F.relu6", i([7, -2]))
fails("bool", "F.relu", b([1, 0]))
add("slope", "F.leaky_relu", x(4), 0.2)
add("slope-negative", "F.leaky_relu", x(4), -0.5)
add("alpha", "F.elu", x(4), 1.5)
add("alpha", "F.celu", x(4), alpha=0.7)
add("tanh", "F.gelu", x(4), approximate="tanh", kind="f32")
add("tanh-f64", "F.gelu", x(4, dt="float64"), approximate="tanh", kind="f64")
fails("approximate", "F.gelu", x(4), approximate="fast")
add("beta", "F.softplus", x(4), 2.0, 1.0)
add("lambda", "F.softshrink", x(4), 0.4)
add("lambda", "F.hardshrink", x(4), 0.4)
fails("lambda", "F.softshrink", x(4), -1.0)
add("bounds", "F.hardtanh", x(4), -0.5, 1.2)
fails("bounds", "F.hardtanh", x(4), 1.0, -1.0)
add("one", "F.prelu", x(2, 3), v([0.25]), kind="f32")
add("channels", "F.prelu", x(2, 3), y(3, dom="prob"), kind="f32")
add("kink", "F.prelu", v([0.0, -0.0, -1.0]), v([0.25]))
fails("channels", "F.prelu", x(2, 3), y(2))
add("f32", "F.glu", x(2, 4))
add("dim", "F.glu", x(2, 3), 0)
fails("odd", "F.glu", x(3))

for name in ("softmax", "log_softmax", "softmin"):
    fn = f"F.{name}"
    add("f32", fn, x(2, 3), dim=1)
    add("dim-0", fn, x(2, 3), dim=0, kind="dim")
    add("f64", fn, x(2, 3, dt="float64"), dim=-1)
    add("dtype", fn, x(3), dim=0, dtype=dt("float64"))
    add("strided", fn, turned(x(2, 3)), dim=1)
    add("3d", fn, x(2, 2, 2), dim=1, kind="dim")
    add("large", fn, v([1000.0, 0.0, -1000.0]), dim=0, kind="kink")
    add("inf", fn, v([-inf, 0.0, 1.0]), dim=0, kind="kink")
    add("all-minus-inf", fn, v([-inf, -inf]), dim=0, kind="kink")
    add("nan", fn, v([nan, 0.0]), dim=0, kind="kink")
    add("0d", fn, x(), dim=0)
    add("empty", fn, x(0, 2), dim=1)
    add("no-dim", fn, x(2, 3), kind="warning")
    fails("dim", fn, x(2, 3), dim=2)
for name in ("softmax", "log_softmax"):
    add("torch", f"torch.{name}", x(2, 3), 1, kind="f32")
    add("method", f"Tensor.{name}", x(2, 3), -1)
    fails("int", f"torch.{name}", i([1, 2]), 0)
    add("int-dtype", f"torch.{name}", i([1, 2]), 0, dtype=dt("float32"), kind="dtype")
    fails("missing", f"torch.{name}", x(2, 3))
    add("f32", f"torch.special.{name}", x(3), 0)
add("f32", "F.normalize", x(2, 3))
add("p-1", "F.normalize", x(2, 3), p=1.0, dim=0)
add("zero", "F.normalize", v([[0.0, 0.0], [3.0, 4.0]]), kind="kink")
add("const", "F.sigmoid", c(3), kind="const")
for name in (
    "relu",
    "sigmoid",
    "tanh",
    "softplus",
    "gelu",
    "elu",
    "logsigmoid",
    "silu",
):
    if name in ("relu", "sigmoid", "tanh"):
        add("nonleaf", f"torch.{name}", nonleaf(x(3)))
    fails("list", f"F.{name}", [1.0])
