"""Making tensors from numbers, lists and other tensors."""

from __future__ import annotations

from kit import Family, Json, b, c, dt, i, inf, k, nan, turned, x

FAMILY = Family("creation")
add, fails = FAMILY.add, FAMILY.fails

LITERALS: dict[str, Json] = {
    "int": 3,
    "float": 2.5,
    "bool": True,
    "ints": [1, 2, 3],
    "floats": [0.1, 0.2],
    "bools": [True, False],
    "mixed": [1, 2.5],
    "bool-int": [True, 2],
    "bool-float": [True, 0.5],
    "empty": [],
    "empty-nested": [[], []],
    "nested": [[1.0, 2.0], [3.0, 4.0]],
    "tuple": (1.0, 2.0),
    "nan": [nan, inf, -inf],
    "large-int": 9223372036854775807,
    "large-float": 1e39,
    "tiny-float": 1e-46,
    "third": 0.3333333333333333,
}
for name, value in LITERALS.items():
    add(name, "torch.tensor", value, kind="literal")
add("dtype", "torch.tensor", [1, 2], dtype=dt("float64"))
add("float-to-int", "torch.tensor", [1.7, -1.7], dtype=dt("int64"), kind="dtype")
add("to-bool", "torch.tensor", [0, 2], dtype=dt("bool"), kind="dtype")
add("grad", "torch.tensor", [1.0, 2.0], requires_grad=True)
add("from-tensor", "torch.tensor", c(2), kind="warning")
add("of-0d", "torch.tensor", [c(), c(at=1)], kind="literal")
fails("ragged", "torch.tensor", [[1, 2], [3]])
fails("ragged-depth", "torch.tensor", [1, [2]])
fails("string", "torch.tensor", "abc")
fails("strings", "torch.tensor", ["a"])
fails("none", "torch.tensor", None)
fails("missing", "torch.tensor")
fails("two", "torch.tensor", 1, 2)
fails("grad-int", "torch.tensor", [1, 2], requires_grad=True)
fails("overflow", "torch.tensor", 9223372036854775808)
fails("unknown", "torch.tensor", [1.0], grad=True)
add("same", "torch.as_tensor", c(2))
add("list", "torch.as_tensor", [1, 2], kind="literal")
add("dtype", "torch.as_tensor", x(2), dtype=dt("float64"))
add("floats", "torch.Tensor", [1.0, 2.0], kind="literal")
add("sizes", "torch.FloatTensor", [1, 2], kind="literal")
add("ints", "torch.LongTensor", [1, 2], kind="literal")
add("number", "torch.scalar_tensor", 2, kind="literal")

for name in ("zeros", "ones"):
    fn = f"torch.{name}"
    add("ints", fn, 2, 3, kind="shape")
    add("tuple", fn, (2, 1), kind="shape")
    add("list", fn, [3], kind="shape")
    add("0d", fn, ())
    add("empty", fn, 0, 2)
    add("dtype", fn, 2, dtype=dt("int64"))
    add("bool", fn, 2, dtype=dt("bool"), kind="dtype")
    add("grad", fn, 2, requires_grad=True)
    add("size", fn, size=(2, 2), kind="shape")
    fails("negative", fn, -1)
    fails("float", fn, 2.5)
    fails("none", fn)
    fails("grad-int", fn, 2, dtype=dt("int64"), requires_grad=True)
    like = f"{fn}_like"
    add("f32", like, x(2, 3))
    add("strided", like, turned(x(2, 3)))
    add("dtype", like, x(2), dtype=dt("int64"))
    add("int", like, i([1, 2]))
    add("grad", like, x(2), requires_grad=True)
    new = f"Tensor.new_{name}"
    add("f32", new, x(2), (2, 2))
    add("int", new, i([1]), 3)
    add("dtype", new, x(2), (1,), dtype=dt("bool"))
for name, value in {"int": 3, "float": 2.5, "bool": True, "nan": nan}.items():
    add(name, "torch.full", (2, 2), value, kind="literal")
add("dtype", "torch.full", (2,), 3, dtype=dt("float64"))
add("grad", "torch.full", (2,), 3.5, requires_grad=True)
fails("number", "torch.full", 2, 3)
fails("missing", "torch.full", (2,))
add("f32", "torch.full_like", x(2), 7)
add("int", "torch.full_like", i([1, 2]), 7)
add("int-float", "torch.full_like", i([1, 2]), 7.5, kind="promote")
add("f32", "Tensor.new_full", x(2), (2,), 1.5)
add("f32", "Tensor.new_tensor", x(2), [1, 2])
add("int", "Tensor.new_tensor", i([1]), [1, 2])
add("f32", "torch.empty", 2, 3, no_values=True)
add("dtype", "torch.empty", (2,), dtype=dt("int64"), no_values=True)
add("f32", "torch.empty_like", x(2, 3), no_values=True)
add("f32", "Tensor.new_empty", x(2), (3,), no_values=True)

for name, args in {
    "end": (3,),
    "end-float": (3.0,),
    "range": (1, 4),
    "step": (1, 2.5, 0.5),
    "down": (3, 0, -1),
    "float-step": (0, 1, 0.3),
    "empty": (2, 2),
    "negative": (-2, 2),
    "zero": (0,),
}.items():
    add(name, "torch.arange", *args, kind="literal")
add("dtype", "torch.arange", 3, dtype=dt("float32"))
add("grad", "torch.arange", 3.0, requires_grad=True)
fails("direction", "torch.arange", 3, 0)
fails("step", "torch.arange", 0, 3, 0)
fails("grad-int", "torch.arange", 3, requires_grad=True)
for name, args in {
    "5": (0, 1, 5),
    "1": (2, 3, 1),
    "0": (0, 1, 0),
    "down": (1, -1, 4),
    "7": (-1.3, 2.4, 7),
}.items():
    add(name, "torch.linspace", *args, kind="literal")
add("f64", "torch.linspace", 0, 1, 4, dtype=dt("float64"))
add("int", "torch.linspace", 0, 10, 4, dtype=dt("int64"))
fails("steps", "torch.linspace", 0, 1)
fails("negative", "torch.linspace", 0, 1, -1)
add("3", "torch.logspace", 0, 2, 3, kind="literal")
add("base", "torch.logspace", 0, 3, 4, base=2, kind="literal")
add("square", "torch.eye", 3, kind="shape")
add("wide", "torch.eye", 2, 3, kind="shape")
add("int", "torch.eye", 2, dtype=dt("int64"))
for name in ("tril_indices", "triu_indices"):
    add("square", f"torch.{name}", 3, 3, kind="shape")
    add("offset", f"torch.{name}", 2, 3, 1, kind="shape")
add("2d", "torch.hamming_window", 4, kind="literal")
add("2d", "torch.hann_window", 4, kind="literal")
add("f32", "torch.is_tensor", c(2), kind="number")
add("f32", "torch.numel", c(2, 3), kind="number")
add("copy", "torch.asarray", c(2), copy=True)
add("b", "torch.ones_like", b([1, 0]), kind="bool")
add("k", "torch.zeros_like", k(2.5), kind="0d")
