"""Changing dtypes, and the questions about them."""

from __future__ import annotations

from kit import Family, b, c, dt, i, inf, k, nan, nonleaf, turned, v, x

FAMILY = Family("casting")
add, fails = FAMILY.add, FAMILY.fails

DTYPES = ("float32", "float64", "int64", "bool")
SOURCES = {
    "float32": k([1.7, -1.7, 0.0, 0.3]),
    "float64": k([1.7, -1.7, 0.0, 0.1], "float64"),
    "int64": i([2, -3, 0, 16777217]),
    "bool": b([1, 0]),
}
for source, value in SOURCES.items():
    for target in DTYPES:
        add(f"{source}-{target}", "Tensor.to", value, dt(target), kind="dtype")
for source in DTYPES[:2]:
    for target in DTYPES:
        add(
            f"grad-{source}-{target}",
            "Tensor.to",
            x(3, dt=source),
            dt(target),
            kind="grad",
        )
for name in ("float", "double", "long", "bool"):
    add("grad", f"Tensor.{name}", x(3))
    add("grad64", f"Tensor.{name}", x(3, dt="float64"), kind="grad")
    add("int", f"Tensor.{name}", i([0, 5]))
for name in ("half", "bfloat16", "int", "short"):
    add("other", f"Tensor.{name}", x(3), kind="other-dtype")
add("back", "Tensor.float", x(3, dt="float64"), kind="grad")
add("special", "Tensor.double", v([nan, inf, -0.0, 1e-40]), kind="kink")
add(
    "narrowing",
    "Tensor.float",
    v([1e39, 1e-46, 0.1, 16777217.0], "float64"),
    kind="kink",
)
add("nan", "Tensor.bool", k([nan, 0.0, -0.0]), kind="kink")
add("copy", "Tensor.to", x(2), dt("float32"), copy=True)
add("other", "Tensor.to", x(2), c(1, dt="float64"), kind="dtype")
add("keyword", "Tensor.to", x(2), dtype=dt("float64"), kind="dtype")
add("device", "Tensor.to", x(2), "cpu", kind="same")
add("device-dtype", "Tensor.to", x(2), "cpu", dt("float64"), kind="dtype")
add("strided", "Tensor.to", turned(x(2, 3)), dt("float64"))
add("nonleaf", "Tensor.to", nonleaf(x(2)), dt("float64"))
fails("string", "Tensor.to", x(2), "float32")
add("f32", "Tensor.cpu", x(2), kind="same")
add("f64", "Tensor.type_as", x(2), c(1, dt="float64"))
add("same", "Tensor.type_as", x(2), c(1))
add("name", "Tensor.type", x(2), kind="number")
add("dtype", "Tensor.type", x(2), dt("float64"))
add("string", "Tensor.type", x(2), "torch.DoubleTensor", kind="dtype")
for one in DTYPES:
    for two in DTYPES:
        add(f"{one}-{two}", "torch.promote_types", dt(one), dt(two), kind="number")
        add(f"{one}-{two}", "torch.can_cast", dt(one), dt(two), kind="number")
for name, pair in {
    "tensors": (c(2), i([1])),
    "0d": (c(2), c(dt="float64")),
    "int-0d": (i([1]), c(dt="float64")),
    "number": (i([1]), 2.5),
    "numbers": (1, 2.5),
    "bool-number": (b([1]), 2),
}.items():
    add(name, "torch.result_type", *pair, kind="number")
add("f32", "torch.get_default_dtype", kind="number")
