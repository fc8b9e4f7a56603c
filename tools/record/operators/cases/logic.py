"""Comparisons, logical and bitwise operators, tests of values."""

from __future__ import annotations

from kit import Family, Json, b, c, i, inf, k, nan, ref, turned, x, y

FAMILY = Family("logic")
add, fails = FAMILY.add, FAMILY.fails

LEFT: Json = k([1.0, 2.0, nan, inf, -0.0])
RIGHT: Json = k([1.0, 3.0, nan, -inf, 0.0])
for name in ("eq", "ne", "lt", "le", "gt", "ge"):
    fn = f"torch.{name}"
    add("f32", fn, x(2, 3), y(3))
    add("kink", fn, LEFT, RIGHT)
    add("number", fn, x(3), 0.5)
    add("int", fn, i([1, 2, 3]), 2)
    add("mixed", fn, i([1, 2]), k([1.0, 2.5]), kind="promote")
    add("bool", fn, b([1, 0]), b([1, 1]))
    add("int-float", fn, i([1, 2]), 1.5, kind="promote")
    add("operator", f"Tensor.__{name}__", x(3), 0.5, kind="dunder")
    add("strided", fn, turned(c(2, 2)), c(2, 2))
    fails("shape", fn, c(2), c(3))
    fails("string", fn, c(2), "a")
add("string", "Tensor.__eq__", c(2), "a", kind="dunder")
add("none", "Tensor.__eq__", c(2), None, kind="dunder")
add("list", "Tensor.__eq__", c(2), [1.0, 2.0], kind="dunder")
add("none", "Tensor.__ne__", c(2), None, kind="dunder")
add("string", "Tensor.__lt__", c(2), "a", kind="dunder")
add("empty", "torch.eq", c(0), c(1))
add("0d", "torch.gt", c(), c(2))
add("precision", "torch.eq", k([0.1]), 0.1, kind="number")
add("precision64", "torch.eq", k([0.1]), k([0.1], "float64"), kind="promote")
for name in ("greater", "less_equal", "not_equal"):
    add("alias", f"torch.{name}", c(3), 0.5)

add("f32", "torch.isclose", k([1.0, 1.0, 0.0]), k([1.0, 1.1, 1e-9]))
add("tolerance", "torch.isclose", k([1.0, 2.0]), k([1.05, 2.3]), rtol=0.1)
add("nan", "torch.isclose", k([nan, inf]), k([nan, inf]), equal_nan=True, kind="kink")
add("nan-differs", "torch.isclose", k([nan, inf]), k([nan, -inf]), kind="kink")
add("int", "torch.isclose", i([1, 2]), i([1, 3]))
add("yes", "torch.allclose", c(2), ref(0), kind="f32")
add("no", "torch.allclose", k([1.0]), k([1.1]), kind="f32")
fails("dtypes", "torch.allclose", c(2), c(2, dt="float64"))
fails("shape", "torch.allclose", c(2), c(3))
add("yes", "torch.equal", c(2), c(2), kind="f32")
add("shape", "torch.equal", c(2), c(2, 1), kind="f32")
add("nan", "torch.equal", k([nan]), k([nan]), kind="kink")
add("int", "torch.equal", i([1]), i([1]))

for name in ("logical_and", "logical_or", "logical_xor"):
    fn = f"torch.{name}"
    add("bool", fn, b([1, 1, 0]), b([1, 0, 0]))
    add("f32", fn, k([0.0, 2.0, nan]), k([1.0, 0.0, 1.0]))
    add("int", fn, i([0, 2]), i([3, 0]))
    add("broadcast", fn, b([[1], [0]]), b([1, 0]))
    fails("number", fn, b([1]), True)
add("bool", "torch.logical_not", b([1, 0]))
add("f32", "torch.logical_not", k([0.0, -0.0, nan, 2.0]))
add("int", "torch.logical_not", i([0, 5]))
for name in ("bitwise_and", "bitwise_or", "bitwise_xor"):
    fn = f"torch.{name}"
    add("bool", fn, b([1, 1, 0]), b([1, 0, 0]))
    add("int", fn, i([12, -5]), i([10, 3]))
    add("number", fn, i([12, 7]), 10)
    add("bool-int", fn, b([1, 0]), i([3, 2]), kind="promote")
    fails("f32", fn, c(2), c(2))
add("bool", "torch.bitwise_not", b([1, 0]))
add("int", "torch.bitwise_not", i([5, -1]))
fails("f32", "torch.bitwise_not", c(2))
add("int", "torch.bitwise_left_shift", i([1, 3]), i([2, 1]))
add("int", "torch.bitwise_right_shift", i([8, -8]), 1)
for name in ("and", "or", "xor"):
    add("bool", f"Tensor.__{name}__", b([1, 0]), b([1, 1]), kind="dunder")
    add("int", f"Tensor.__{name}__", i([6, 1]), 3, kind="dunder")
add("bool", "Tensor.__invert__", b([1, 0]), kind="dunder")
add("int", "Tensor.__invert__", i([5]), kind="dunder")
fails("f32", "Tensor.__invert__", c(2))
fails("f32", "Tensor.__and__", c(2), c(2))

VALUES: Json = k([0.0, -0.0, 1.5, nan, inf, -inf])
for name in ("isnan", "isinf", "isfinite", "isposinf", "isneginf", "signbit", "isreal"):
    add("f32", f"torch.{name}", VALUES)
    add("int", f"torch.{name}", i([-1, 0, 2]))
    add("grad", f"torch.{name}", x(2), kind="f32")
add("f32", "torch.is_nonzero", k(2.0), kind="number")
fails("many", "torch.is_nonzero", c(2))
add("list", "torch.isin", i([1, 2, 3]), i([2, 5]), kind="int")
add("number", "torch.isin", i([1, 2]), 2)
add("invert", "torch.isin", k([1.0, 2.0]), k([2.0]), invert=True)
add("f32", "torch.is_floating_point", c(2), kind="number")
add("int", "torch.is_floating_point", i([1]), kind="number")
add("f32", "Tensor.is_same_size", c(2), c(2), kind="number")
