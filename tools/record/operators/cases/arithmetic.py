"""Operators of two or three tensors, Python-number operands, promotion, operator methods."""

from __future__ import annotations

from kit import (
    Family,
    Json,
    b,
    c,
    call,
    dt,
    gapped,
    i,
    inf,
    k,
    nan,
    nonleaf,
    ref,
    turned,
    v,
    x,
    y,
)

FAMILY = Family("arithmetic")
add, fails = FAMILY.add, FAMILY.fails

# name: domain of the first operand, domain of the second, (first, second) lists at the kinks
BINARY: dict[str, tuple[str, str, list[Json], list[Json]]] = {
    "add": ("real", "other", [0.0, -0.0, inf, nan], [-0.0, -0.0, -inf, 1.0]),
    "sub": ("real", "other", [0.0, -0.0, inf, nan], [-0.0, 0.0, inf, 1.0]),
    "mul": ("real", "other", [0.0, -0.0, inf, nan], [-1.0, 5.0, 0.0, 1.0]),
    "div": ("real", "other", [1.0, -1.0, 0.0, inf, 3.0], [0.0, 0.0, 0.0, 2.0, inf]),
    "remainder": (
        "real",
        "big",
        [7.0, -7.0, 7.0, -7.0, 1.0],
        [3.0, 3.0, -3.0, -3.0, 0.0],
    ),
    "fmod": ("real", "big", [7.0, -7.0, 7.0, -7.0, 1.0], [3.0, 3.0, -3.0, -3.0, 0.0]),
    "floor_divide": (
        "real",
        "big",
        [7.0, -7.0, 7.0, -7.0, 1.0],
        [3.0, 3.0, -3.0, -3.0, 0.0],
    ),
    "pow": (
        "pos",
        "real",
        [0.0, 0.0, 2.0, 1.0, -2.0, -2.0],
        [0.0, 2.0, 0.0, nan, 2.0, 0.5],
    ),
    "atan2": ("real", "other", [0.0, 0.0, -0.0, 1.0], [1.0, -1.0, -1.0, 0.0]),
    "hypot": ("real", "other", [0.0, 3.0, inf, nan], [0.0, -4.0, 1.0, 1.0]),
    "maximum": ("real", "other", [1.0, nan, 2.0, 0.0], [1.0, 1.0, nan, -0.0]),
    "minimum": ("real", "other", [1.0, nan, 2.0, 0.0], [1.0, 1.0, nan, -0.0]),
    "fmax": ("real", "other", [1.0, nan, 2.0, nan], [1.0, 1.0, nan, nan]),
    "fmin": ("real", "other", [1.0, nan, 2.0, nan], [1.0, 1.0, nan, nan]),
    "logaddexp": ("real", "other", [0.0, inf, -inf, 100.0], [0.0, inf, -inf, 0.0]),
    "logaddexp2": ("real", "other", [0.0, inf, -inf, 100.0], [0.0, inf, -inf, 0.0]),
    "xlogy": ("real", "pos", [0.0, 0.0, 1.0, 2.0], [0.0, nan, 0.0, 1.0]),
    "copysign": ("real", "other", [1.0, -2.0, 0.0, 3.0], [-0.0, 0.0, -1.0, nan]),
}

for name, (first, second, left, right) in BINARY.items():
    fn = f"torch.{name}"
    add("f32", fn, x(2, 3, dom=first), y(2, 3, dom=second))
    add("f64", fn, x(4, dom=first, dt="float64"), y(4, dom=second, dt="float64"))
    add("const-right", fn, x(3, dom=first), c(3, dom=second))
    add("const-left", fn, c(3, dom=first), y(3, dom=second))
    add("broadcast", fn, x(2, 1, 3, dom=first), y(2, 1, dom=second, at=2))
    add("kink", fn, v(left), v(right))
    if name not in ("logaddexp", "logaddexp2", "hypot"):
        add("int", fn, i([7, -7, 5, 2]), i([2, 2, -3, 4]))

# The main operators in every combination that users meet.
for name in ("add", "sub", "mul", "div", "pow", "maximum", "remainder", "atan2"):
    fn = f"torch.{name}"
    first, second = BINARY[name][:2]
    add("0d-right", fn, x(2, 3, dom=first), y(dom=second))
    add("0d-both", fn, x(dom=first), y(dom=second))
    add("same", fn, x(3, dom="pos"), ref(0))
    add("mixed-64", fn, x(3, dom=first), y(3, dom=second, dt="float64"))
    add("mixed-int", fn, x(3, dom=first), i([2, 3, 4]))
    add("strided", fn, turned(x(2, 3, dom=first)), y(2, 3, dom=second))
    add("empty", fn, x(0, 3), y(1, 3))
    fails("shape", fn, x(2, 3, dom=first), y(2, dom=second))
fails("int", "torch.hypot", i([3, 4]), i([4, 3]))
for name in ("add", "sub", "mul", "div"):
    fn = f"torch.{name}"
    add("0d64-right", fn, x(3), y(dt="float64"), kind="promote")
    add("int-0d64", fn, i([1, 2]), k(2.5, "float64"), kind="promote")
    right = i([1, 2, 3]) if name == "sub" else b([1, 1, 0])
    (fails if name == "sub" else add)("bool", fn, b([1, 0, 1]), right)
    (fails if name == "sub" else add)("bool-float", fn, b([1, 0, 1]), y(3))
    (fails if name == "sub" else add)("number-bool", fn, x(3), True)
    (fails if name == "sub" else add)("bool-number-int", fn, b([1, 0]), 2)
    add("int-float", fn, x(3), 3, kind="number")
    add("number-float", fn, x(3), 0.1, kind="number")
    add("number-inf", fn, x(3), inf, kind="number")
    add("int-number-float", fn, i([1, 2, 3]), 2.5, kind="promote")
    add("int-number-int", fn, i([1, 2, 3]), 2, kind="promote")
    add("both-strided", fn, turned(x(2, 3)), turned(y(2, 3)), kind="strided")
    add("gapped", fn, gapped(x(2, 2)), y(2, 2), kind="strided")
    add(
        "broadcast-view",
        fn,
        call("Tensor.expand", x(3), 2, 3),
        y(2, 3),
        kind="broadcast",
    )
    add("broadcast-4d", fn, x(2, 1, 1, 3), y(1, 2, 2, 1), kind="broadcast")
    add("nonleaf", fn, nonleaf(x(3)), nonleaf(y(3)))
    fails("none", fn, x(3), None)
    fails("string", fn, x(3), "a")
    fails("list", fn, x(3), [1, 2, 3])
fails("bool-bool", "torch.sub", b([1, 0]), b([1, 1]))
fails("bool-numbers", "torch.sub", b([1, 0]), True)
fails("unknown-keyword", "torch.add", x(3), y(3), beta=2)
fails("missing", "torch.add", x(3))
fails("three-shapes", "torch.mul", x(2, 3), y(3, 2))

add("alpha", "torch.add", x(2, 3), y(3), alpha=3)
add("alpha-number", "torch.add", x(3), 2, alpha=1.5)
add("alpha-one", "torch.add", x(3), y(3), alpha=1)
add("alpha-int", "torch.add", i([1, 2]), i([3, 4]), alpha=2)
fails("alpha-float-int", "torch.add", i([1, 2]), i([3, 4]), alpha=2.5)
fails("alpha-bool", "torch.add", x(2), y(2), alpha=True)
add("alpha", "torch.sub", x(2, 3), y(3), alpha=0.5)
add("tensor", "torch.rsub", x(2, 3), y(3))
add("tensor-alpha", "torch.rsub", x(3), y(3), alpha=3)
add("number", "torch.rsub", x(3), 2)
add("number-alpha", "torch.rsub", x(3), 2, alpha=3)

add("trunc", "torch.div", x(2, 3), y(2, 3), rounding_mode="trunc")
add("floor", "torch.div", x(2, 3), y(2, 3), rounding_mode="floor")
add("floor-number", "torch.div", x(3), 2, rounding_mode="floor")
add("none-mode", "torch.div", x(3), y(3), rounding_mode=None)
add("trunc-int", "torch.div", i([7, -7, 5]), i([2, 2, -2]), rounding_mode="trunc")
add("floor-int", "torch.div", i([7, -7, 5]), i([2, 2, -2]), rounding_mode="floor")
fails("mode", "torch.div", x(3), y(3), rounding_mode="up")
fails("zero-int", "torch.div", i([1, 2]), i([0, 1]), rounding_mode="floor")
fails("zero-int", "torch.remainder", i([1, 2]), i([0, 1]))
fails("zero-int", "torch.fmod", i([1, 2]), i([0, 1]))
fails("zero-int", "torch.floor_divide", i([1, 2]), 0)
add("number-int", "torch.remainder", x(4), 2, kind="number")
add("number-float", "torch.remainder", x(4), -0.7, kind="number")
add("number-left", "torch.remainder", 2, y(3, dom="big"), kind="number")
add("number-int", "torch.fmod", x(4), 2, kind="number")
add("number-float", "torch.fmod", x(4), -0.7, kind="number")
add("number", "torch.floor_divide", x(3), 2)
add("int-number", "torch.floor_divide", i([7, -7]), 2, kind="number")
add("int-float", "torch.floor_divide", i([7, -7]), 2.5, kind="number")

for exponent in (2, 3, 0, 1, -1, -2, 0.5, -0.5, 2.0, 2.5, 1.5, 4):
    add(f"number-{exponent}", "torch.pow", x(3, dom="pos"), exponent, kind="number")
for exponent in (2, 3, -1, 0, 1):
    add(
        f"number64-{exponent}", "torch.pow", x(2, dt="float64"), exponent, kind="number"
    )
add("kink-square", "torch.pow", v([0.0, -0.0, inf, nan]), 2, kind="kink")
add("kink-root", "torch.pow", v([0.0, -1.0, inf]), 0.5, kind="kink")
add("kink-zero", "torch.pow", v([0.0, -1.0, nan]), 0, kind="kink")
add("kink-inverse", "torch.pow", v([0.0, -0.0, 2.0]), -1, kind="kink")
add("base-int", "torch.pow", 2, y(3), kind="number")
add("base-float", "torch.pow", 2.5, y(3), kind="number")
add("base-one", "torch.pow", 1, y(3), kind="number")
add("base-zero", "torch.pow", 0, v([0.0, 2.0, -1.0]), kind="kink")
add("base-negative", "torch.pow", -2.0, v([2.0, 0.5, 3.0]), kind="kink")
add("exponent-0d", "torch.pow", x(3, dom="pos"), k(2.0), kind="0d")
add("int-number", "torch.pow", i([2, -3]), 3, kind="int")
add("int-float", "torch.pow", i([2, 3]), 0.5, kind="promote")
fails("int-negative", "torch.pow", i([2, 3]), -1)
fails("bool-bool-numbers", "torch.pow", "a", x(2))
add("f32", "torch.float_power", x(3, dom="pos"), 2)
add("tensor", "torch.float_power", x(3, dom="pos"), y(3))
add("int", "torch.float_power", i([2, 3]), 2)

add("number", "torch.lerp", x(2, 3), y(2, 3), 0.25)
add("number-upper", "torch.lerp", x(3), y(3), 0.75)
add("tensor", "torch.lerp", x(2, 3), y(3), x(2, 3, dom="prob"))
add("tensor-const", "torch.lerp", x(3), y(3), c(3, dom="prob"))
add("weight-0d", "torch.lerp", x(3), y(3), k(0.3))
fails("dtype", "torch.lerp", x(3), y(3, dt="float64"), 0.5)
add("f32", "torch.addcmul", x(2, 3), y(2, 3), x(2, 3, at=4))
add("value", "torch.addcmul", x(3), y(2, 3), c(3), value=2)
add("value-float", "torch.addcmul", x(3), y(3), x(3, at=3), value=0.3)
add("f64", "torch.addcmul", x(3, dt="float64"), y(3, dt="float64"), c(3, dt="float64"))
add("int", "torch.addcmul", i([1, 2]), i([3, 4]), i([5, 6]), value=2)
add("f32", "torch.addcdiv", x(2, 3), y(2, 3), x(2, 3, dom="pos", at=2))
add("value", "torch.addcdiv", x(3), c(2, 3), y(3, dom="pos"), value=2)
add("value-float", "torch.addcdiv", x(3), y(3), x(3, at=3), value=0.3)
fails("int", "torch.addcdiv", i([1, 2]), i([3, 4]), i([5, 6]))
add("number", "torch.xlogy", x(3), 2.5)
add("number-left", "torch.xlogy", 2.5, y(3, dom="pos"))
add("f32", "torch.special.xlog1py", x(3), y(3, dom="pos"))
add("number", "torch.copysign", x(3), -1.0)
add("f32", "torch.heaviside", k([-1.5, 0.0, 2.0]), k(0.5))
add("f32", "torch.nextafter", k([1.0, -1.0, 0.0]), k([2.0, -2.0, 1.0]))
add("f32", "torch.ldexp", x(3), i([1, 2, -1]))
add("int", "torch.gcd", i([12, 18, 7]), i([8, 27, 0]))
add("int", "torch.lcm", i([4, 6, 7]), i([6, 4, 0]))
add("max", "torch.max", x(2, 3), y(2, 3), kind="f32")
add("min", "torch.min", x(2, 3), c(3), kind="f32")

for _name, alias in (
    ("subtract", "torch.subtract"),
    ("multiply", "torch.multiply"),
    ("divide", "torch.divide"),
    ("true_divide", "torch.true_divide"),
    ("arctan2", "torch.arctan2"),
):
    add("f32", alias, x(3), y(3), kind="alias")
for name in (
    "add",
    "sub",
    "mul",
    "div",
    "pow",
    "remainder",
    "fmod",
    "maximum",
    "atan2",
    "true_divide",
    "floor_divide",
    "hypot",
):
    add("method", f"Tensor.{name}", x(3, dom="pos"), y(3, dom="pos"))

# Operator methods, as Python calls them.
for name in ("add", "sub", "mul", "truediv", "pow", "mod", "floordiv"):
    method = f"Tensor.__{name}__"
    add("tensor", method, x(3, dom="pos"), y(3, dom="pos"), kind="dunder")
    add("int", method, x(3, dom="pos"), 2, kind="dunder")
    add("float", method, x(3, dom="pos"), 0.7, kind="dunder")
    add("int-tensor-int", method, i([7, 5, 3]), 2, kind="dunder")
    add("int-tensor-float", method, i([7, 5, 3]), 0.5, kind="dunder")
    swapped = f"Tensor.__r{name}__"
    add("int", swapped, x(3, dom="pos"), 2, kind="dunder")
    add("float", swapped, x(3, dom="pos"), 0.7, kind="dunder")
    add("int-tensor", swapped, i([7, 5, 3]), 2, kind="dunder")
    add("string", method, x(3), "a", kind="dunder")
add("f32", "Tensor.__neg__", x(3), kind="dunder")
add("f32", "Tensor.__pos__", x(3), kind="dunder")
add("f32", "Tensor.__abs__", x(3), kind="dunder")
add("int", "Tensor.__neg__", i([1, -2]), kind="dunder")
fails("bool", "Tensor.__neg__", b([1, 0]))
fails("bool", "Tensor.__pos__", b([1, 0]))
fails("bool", "Tensor.__rsub__", b([1, 0]), 1)
fails("bool", "Tensor.__sub__", b([1, 0]), b([1, 0]))

# Which dtype comes out: every pair that the engine has.
SAMPLES: dict[str, Json] = {
    "f32": c(2),
    "f64": c(2, dt="float64"),
    "i64": i([2, 3]),
    "b": b([1, 0]),
    "f32-0d": c(),
    "f64-0d": c(dt="float64"),
    "i64-0d": i(2),
    "b-0d": b(1),
}
for one, left in SAMPLES.items():
    for two, right in SAMPLES.items():
        if one <= two:
            add(f"promote-{one}-{two}", "torch.add", left, right)
for one in ("i64", "b", "f64", "i64-0d"):
    for number in (2, 2.5, True):
        add(f"promote-{one}-{type(number).__name__}", "torch.mul", SAMPLES[one], number)
for one, left in SAMPLES.items():
    add(f"promote-{one}-ints", "torch.true_divide", left, i([4, 5]))
add("grad-dtypes", "torch.mul", x(2, 2), y(2, dt="float64"), kind="promote")
add(
    "to-f64",
    "torch.mul",
    call("Tensor.to", x(2), dt("float64")),
    y(2, dt="float64"),
    kind="promote",
)
add("large", "torch.add", i([9007199254740993, -9223372036854775808]), 1, kind="int")
add("overflow", "torch.add", i([9223372036854775807]), 1, kind="int")
add("overflow", "torch.mul", i([4611686018427387904, 3]), 4, kind="int")
add("large-float", "torch.add", i([16777217]), 0.5, kind="promote")
