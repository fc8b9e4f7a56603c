"""Operators that change their first argument, on leaves, non-leaves and views."""

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

FAMILY = Family("inplace")
add, fails = FAMILY.add, FAMILY.fails
GET, SET = "Tensor.__getitem__", "Tensor.__setitem__"

# name: domain of self, further arguments
METHODS: dict[str, tuple[str, list[Json]]] = {
    "add_": ("real", [y(3)]),
    "sub_": ("real", [y(3)]),
    "mul_": ("real", [y(3)]),
    "div_": ("real", [y(3)]),
    "pow_": ("pos", [2]),
    "remainder_": ("real", [c(3, dom="big")]),
    "fmod_": ("real", [1.5]),
    "floor_divide_": ("real", [2]),
    "neg_": ("real", []),
    "abs_": ("real", []),
    "exp_": ("real", []),
    "exp2_": ("real", []),
    "expm1_": ("real", []),
    "log_": ("pos", []),
    "log2_": ("pos", []),
    "log10_": ("pos", []),
    "log1p_": ("pos", []),
    "sqrt_": ("pos", []),
    "rsqrt_": ("pos", []),
    "reciprocal_": ("pos", []),
    "square_": ("real", []),
    "sin_": ("real", []),
    "cos_": ("real", []),
    "tan_": ("real", []),
    "asin_": ("unit", []),
    "acos_": ("unit", []),
    "atan_": ("real", []),
    "sinh_": ("real", []),
    "cosh_": ("real", []),
    "tanh_": ("real", []),
    "sigmoid_": ("real", []),
    "relu_": ("real", []),
    "erf_": ("real", []),
    "floor_": ("real", []),
    "ceil_": ("real", []),
    "round_": ("real", []),
    "trunc_": ("real", []),
    "frac_": ("real", []),
    "sign_": ("real", []),
    "sgn_": ("real", []),
    "logit_": ("prob", []),
    "nan_to_num_": ("real", []),
    "clamp_": ("real", [-0.5, 0.8]),
    "clamp_min_": ("real", [0.0]),
    "clamp_max_": ("real", [0.0]),
    "atan2_": ("real", [y(3)]),
    "hypot_": ("real", [y(3)]),
    "lerp_": ("real", [y(3), 0.3]),
    "addcmul_": ("real", [y(3), c(3)]),
    "addcdiv_": ("real", [y(3), c(3, dom="pos")]),
    "xlogy_": ("real", [y(3, dom="pos")]),
    "copysign_": ("real", [y(3)]),
    "zero_": ("real", []),
    "fill_": ("real", [2.5]),
    "copy_": ("real", [y(3)]),
    "masked_fill_": ("real", [b([1, 0, 1]), 7.0]),
    "masked_scatter_": ("real", [b([1, 0, 1]), y(2)]),
    "index_fill_": ("real", [0, i([1]), 7.0]),
    "index_add_": ("real", [0, i([1, 1]), y(2)]),
    "index_copy_": ("real", [0, i([1]), y(1)]),
    "index_put_": ("real", [(i([0]),), y(1)]),
    "scatter_": ("real", [0, i([2, 0]), y(2)]),
    "scatter_add_": ("real", [0, i([2, 2]), y(2)]),
    "put_": ("real", [i([1]), y(1)]),
    "cumsum_": ("real", [0]),
    "cumprod_": ("real", [0]),
    "erfinv_": ("unit", []),
}
for name, (dom, args) in METHODS.items():
    add("nonleaf", f"Tensor.{name}", nonleaf(x(3, dom=dom)), *args)
    if args:
        add("const", f"Tensor.{name}", c(3, dom=dom), *args)
for name in (
    "add_",
    "mul_",
    "zero_",
    "copy_",
    "exp_",
    "relu_",
    "fill_",
    "clamp_",
    "index_add_",
    "masked_fill_",
):
    dom, args = METHODS[name]
    fails("leaf", f"Tensor.{name}", x(3, dom=dom), *args)
    add(
        "leaf-no-grad",
        f"Tensor.{name}",
        x(3, dom=dom),
        *args,
        no_grad=True,
        kind="no-grad",
    )
    add(
        "nonleaf-no-grad",
        f"Tensor.{name}",
        nonleaf(x(3, dom=dom)),
        *args,
        no_grad=True,
        kind="no-grad",
    )

# Operands.
for name in ("add_", "sub_", "mul_", "div_"):
    fn = f"Tensor.{name}"
    add("number", fn, nonleaf(x(3)), 2.5)
    if name != "div_":
        add("number-int", fn, i([1, 2]), 3, kind="number")
    add("operand-const", fn, nonleaf(x(3)), c(3), kind="const")
    add("broadcast", fn, nonleaf(x(2, 3)), y(3))
    add("into-const", fn, c(2, 3), y(2, 3), kind="const")
    add("itself", fn, nonleaf(x(3)), ref(0), kind="same")
    add("wider", fn, nonleaf(x(3)), y(3, dt="float64"), kind="promote")
    add("strided", fn, nonleaf(turned(x(2, 3))), y(2, 3))
    add("0d", fn, nonleaf(x()), y())
    add("empty", fn, nonleaf(x(0)), y(0))
    fails("larger", fn, nonleaf(x(3)), y(2, 3))
    fails("shape", fn, nonleaf(x(3)), y(2))
    fails("int-float", fn, i([1, 2, 3]), 2.5)
    fails("leaf-number", fn, x(3), 2.0)
    fails("expanded", fn, call("Tensor.expand", c(1), 3), 1.0)
fails("int", "Tensor.div_", i([4, 6]), 2)
fails("bool-int", "Tensor.add_", b([1, 0]), 1)
add("bool-bool", "Tensor.add_", b([1, 0]), b([1, 1]), kind="bool")
add("alpha", "Tensor.add_", nonleaf(x(3)), y(3), alpha=2)
fails("none", "Tensor.add_", nonleaf(x(3)), None)
add("tensor", "Tensor.pow_", nonleaf(x(3, dom="pos")), y(3))
add("half", "Tensor.pow_", nonleaf(x(3, dom="pos")), 0.5)
add("tensor", "Tensor.fill_", nonleaf(x(3)), y(), kind="f32")
fails("tensor-rank", "Tensor.fill_", nonleaf(x(3)), y(1))
fails("string", "Tensor.fill_", nonleaf(x(3)), "a")
add("int-float", "Tensor.fill_", i([1, 2]), 2.7, kind="promote")
add("tensor", "Tensor.masked_fill_", nonleaf(x(3)), b([1, 0, 1]), y(), kind="f32")
add("min", "Tensor.clamp_", nonleaf(x(3)), min=0.0)
add("tensors", "Tensor.clamp_", nonleaf(x(3)), c(3, dom="unit"), c(3, dom="big"))
add("rounding", "Tensor.div_", nonleaf(x(3)), y(3), rounding_mode="floor")
add("tensor", "Tensor.lerp_", nonleaf(x(3)), y(3), c(3, dom="prob"))
add("broadcast", "Tensor.copy_", nonleaf(x(2, 3)), y(3))
add("cast", "Tensor.copy_", nonleaf(x(2)), y(2, dt="float64"), kind="promote")
add("to-int", "Tensor.copy_", i([1, 2]), c(2), kind="promote")
fails("shape", "Tensor.copy_", nonleaf(x(2)), y(3))
add("itself", "Tensor.copy_", nonleaf(x(2)), ref(0), kind="same")
add(
    "reduce-add",
    "Tensor.scatter_",
    c(3),
    0,
    i([0, 0]),
    c(2),
    reduce="add",
    kind="const",
)
add("number", "Tensor.scatter_", nonleaf(x(3)), 0, i([1]), 5.0)
add(
    "reduce",
    "Tensor.scatter_reduce_",
    nonleaf(x(3)),
    0,
    i([1, 1]),
    y(2),
    "prod",
    kind="f32",
)
add("f32", "Tensor.addmm_", nonleaf(x(2, 2)), y(2, 3), x(3, 2, at=3))
add("f32", "Tensor.addmv_", nonleaf(x(2)), y(2, 3), x(3, at=3))
add("f32", "Tensor.addr_", nonleaf(x(2, 3)), y(2), x(3, at=3))
add("f32", "Tensor.baddbmm_", nonleaf(x(1, 2, 2)), y(1, 2, 3), x(1, 3, 2, at=3))
add("f32", "Tensor.tril_", nonleaf(x(2, 2)))
add("f32", "Tensor.triu_", nonleaf(x(2, 2)), 1)
add("f32", "Tensor.fill_diagonal_", nonleaf(x(2, 2)), 9.0)
add("f32", "Tensor.where", nonleaf(x(2)), b([1, 0]), y(2), kind="f32")

# Comparisons and logic in place keep the dtype.
for name in ("eq_", "ne_", "lt_", "gt_"):
    add("nonleaf", f"Tensor.{name}", nonleaf(x(3)), 0.5)
add("f32", "Tensor.logical_not_", k([0.0, 2.0]))
add("bool", "Tensor.logical_and_", b([1, 1]), b([1, 0]))
add("int", "Tensor.bitwise_or_", i([1, 4]), 2)

# Augmented assignment calls these.
for name in ("iadd", "isub", "imul", "itruediv", "ipow", "imod", "ifloordiv"):
    dunder = f"Tensor.__{name}__"
    add("tensor", dunder, nonleaf(x(3, dom="pos")), y(3, dom="pos"), kind="dunder")
    add("number", dunder, nonleaf(x(3, dom="pos")), 2, kind="dunder")
    fails("leaf", dunder, x(3, dom="pos"), 2)
fails("f32", "Tensor.__iand__", nonleaf(x(2)), 1)
add("bool", "Tensor.__iand__", b([1, 0]), b([1, 1]), kind="dunder")
add("int", "Tensor.__ifloordiv__", i([7, -7]), 2, kind="dunder")
fails("int", "Tensor.__itruediv__", i([7, -7]), 2)

# Shape methods in place.
for name, shape, args in (
    ("unsqueeze_", (3,), [0]),
    ("squeeze_", (1, 3), []),
    ("squeeze_", (1, 3), [0]),
    ("t_", (2, 3), []),
    ("transpose_", (2, 3), [0, 1]),
    ("swapaxes_", (2, 3), [0, 1]),
    ("detach_", (3,), []),
    ("requires_grad_", (3,), []),
):
    add(f"shape{len(args)}", f"Tensor.{name}", nonleaf(x(*shape)), *args, kind="shape")
    add(f"const{len(args)}", f"Tensor.{name}", c(*shape), *args, kind="shape")
add("leaf", "Tensor.detach_", x(3), kind="shape")
add("leaf", "Tensor.requires_grad_", x(3), False, kind="shape")
fails("nonleaf", "Tensor.requires_grad_", nonleaf(x(3)), False)
fails("int", "Tensor.requires_grad_", i([1]))
fails("leaf", "Tensor.unsqueeze_", x(3), 0)
fails("leaf", "Tensor.t_", x(2, 3))
fails("view", "Tensor.detach_", call(GET, nonleaf(x(2, 3)), 0))
add("nonleaf", "Tensor.resize_", c(4), 2, kind="shape")
fails("grad", "Tensor.resize_", x(4), 2)
add("const", "Tensor.set_", c(2), c(3), kind="shape")
add("f32", "Tensor.retain_grad", nonleaf(x(3)), kind="shape")

# Through views: the base's history is rewritten.
BASE: Json = nonleaf(x(2, 3))
VIEWS: dict[str, Json] = {
    "select": call(GET, BASE, 0),
    "slice": call(GET, BASE, slice(1, None)),
    "columns": call("Tensor.narrow", BASE, 1, 0, 2),
    "transposed": call("Tensor.t", BASE),
    "flat": call("Tensor.view", BASE, 6),
    "unsqueezed": call("Tensor.unsqueeze", BASE, 0),
    "element": call(GET, BASE, (1, 2)),
    "nested": call(GET, call(GET, BASE, 0), slice(0, 2)),
    "diagonal": call("Tensor.diagonal", BASE),
}
for name, view in VIEWS.items():
    add(f"view-{name}-number", "Tensor.mul_", view, 5.0, kind="view")
    add(f"view-{name}", "Tensor.zero_", view, kind="view")
add("view-operand", "Tensor.mul_", VIEWS["select"], y(3), kind="view")
add("view-operand", "Tensor.add_", VIEWS["flat"], y(6), kind="view")
add("view-exp", "Tensor.exp_", VIEWS["select"], kind="view")
add("view-copy", "Tensor.copy_", VIEWS["columns"], y(2, 2), kind="view")
add("view-copy-cast", "Tensor.copy_", VIEWS["select"], y(3, dt="float64"), kind="view")
add("view-const-base", "Tensor.mul_", call(GET, c(2, 3), 0), y(3), kind="view")
add("view-const-base-add", "Tensor.add_", call(GET, c(2, 3), 0), y(), kind="view")
add(
    "view-detached",
    "Tensor.add_",
    call("Tensor.detach", nonleaf(x(3))),
    1.0,
    kind="view",
)
add("view-data", "Tensor.add_", call("prop.data", nonleaf(x(3))), 1.0, kind="view")
add("view-leaf-detached", "Tensor.add_", call("Tensor.detach", x(3)), 1.0, kind="view")
add(
    "view-no-grad",
    "Tensor.add_",
    call(GET, x(2, 3), 0),
    1.0,
    no_grad=True,
    kind="no-grad",
)
add("view-shape", "Tensor.t_", VIEWS["columns"], kind="view")
add("view-unsqueeze", "Tensor.unsqueeze_", VIEWS["select"], 0, kind="view")
fails("view-of-leaf", "Tensor.add_", call(GET, x(2, 3), 0), 1.0)
fails("view-of-leaf-zero", "Tensor.zero_", call("Tensor.view", x(2, 3), 6))
fails("view-expanded", "Tensor.add_", call("Tensor.expand", nonleaf(x(1)), 3), 1.0)
for name, item in (("unbind", []), ("split", [1]), ("chunk", [2])):
    fails(
        f"multi-{name}",
        "Tensor.add_",
        call(f"Tensor.{name}", nonleaf(x(2, 3)), *item, item=0),
        1.0,
    )
    fails(
        f"multi-{name}-leaf",
        "Tensor.add_",
        call(f"Tensor.{name}", x(2, 3), *item, item=1),
        1.0,
    )
    add(
        f"multi-{name}-const",
        "Tensor.add_",
        call(f"Tensor.{name}", c(2, 3), *item, item=1),
        1.0,
        kind="view",
    )
    fails(
        f"multi-{name}-operand",
        "Tensor.add_",
        call(f"Tensor.{name}", c(2, 3), *item, item=0),
        y(1, 3),
    )
add(
    "multi-tensor_split",
    "Tensor.add_",
    call("Tensor.tensor_split", nonleaf(x(4)), 2, item=1),
    1.0,
    kind="view",
)

# Assignment by index.
ITEMS: dict[str, tuple[Json, Json]] = {
    "0": (0, y(3)),
    "0-number": (0, 2.5),
    "minus-1": (-1, y(3)),
    "element": ((0, 1), y()),
    "element-number": ((0, 1), 7),
    "slice": (slice(0, 1), y(1, 3)),
    "all": (slice(None), y(2, 3)),
    "all-number": (slice(None), 0.0),
    "ellipsis": (Ellipsis, y(3)),
    "ellipsis-number": (Ellipsis, 1.0),
    "column": ((slice(None), 1), y(2)),
    "step": ((slice(None), slice(None, None, 2)), y(2, 2)),
    "broadcast": (slice(None), y(3)),
    "none": (None, y(1, 2, 3)),
    "true": (True, y(3)),
    "list": ([0, 1], y(2, 3)),
    "list-number": ([1], 3.0),
    "tensor": (i([1, 0]), y(2, 3)),
    "tensor-0d": (i(1), y(3)),
    "tensors": ((i([0, 1]), i([2, 0])), y(2)),
    "mask": (b([[1, 0, 1], [0, 1, 0]]), y(3)),
    "mask-number": (b([[1, 0, 1], [0, 1, 0]]), 0.0),
    "mask-0d": (b([[1, 0, 1], [0, 1, 0]]), y()),
    "row-mask": (b([0, 1]), y(3)),
    "slice-tensor": ((slice(None), i([0, 2])), y(2, 2)),
    "extra-ones": (0, y(1, 1, 3)),
}
for name, (item, value) in ITEMS.items():
    add(name, SET, nonleaf(x(2, 3)), item, value, kind="item")
add("const-value", SET, nonleaf(x(2, 3)), 0, c(3), kind="const")
add("const-base", SET, c(2, 3), 0, y(3), kind="const")
add("const-base-tensor", SET, c(2, 3), i([1]), y(1, 3), kind="const")
add("const-both", SET, c(2, 3), 0, c(3), kind="const")
add("leaf-no-grad", SET, x(2, 3), 0, c(3), no_grad=True, kind="no-grad")
add("int-float", SET, i([1, 2]), 0, 2.7, kind="promote")
add("int-float-tensor", SET, i([1, 2]), 0, k(2.7), kind="promote")
add("wider", SET, nonleaf(x(2)), 0, y(dt="float64"), kind="promote")
add("bool", SET, b([1, 0]), 1, 5)
add("nan", SET, c(2), 0, nan, kind="kink")
add("inf", SET, c(2), slice(None), -inf, kind="kink")
add("0d", SET, nonleaf(x()), Ellipsis, y(), kind="0d")
add("empty", SET, c(2), slice(0, 0), 1.0, kind="empty")
add("strided", SET, nonleaf(turned(x(2, 3))), 0, y(3), kind="strided")
add("gapped", SET, nonleaf(gapped(x(2, 2))), (0, 1), y(), kind="strided")
add("view", SET, VIEWS["select"], 1, y(), kind="view")
add("list-value", SET, c(2), 0, [1.0], kind="error")
fails("leaf", SET, x(2, 3), 0, c(3))
fails("leaf-mask", SET, x(2), b([1, 0]), 0.0)
fails("shape", SET, nonleaf(x(2, 3)), 0, y(2))
fails("rank", SET, nonleaf(x(2, 3)), 0, y(2, 3))
fails("range", SET, nonleaf(x(2, 3)), 2, y(3))
fails("string", SET, nonleaf(x(2)), 0, "a")
fails("tensor-dtype", SET, nonleaf(x(2)), i([0]), y(1, dt="float64"))
fails("mask-shape", SET, nonleaf(x(2, 3)), b([1, 0, 1]), 0.0)
fails("mask-count", SET, nonleaf(x(3)), b([1, 0, 1]), y(3))
fails("step", SET, nonleaf(x(3)), slice(None, None, -1), 0.0)

for name in ("add", "mul"):
    add(
        "foreach",
        f"torch._foreach_{name}_",
        [nonleaf(x(2)), nonleaf(y(2))],
        2.0,
        kind="number",
    )
    fails("leaf", f"torch._foreach_{name}_", [x(2)], 2.0)

# out=
for name in ("add", "mul", "matmul"):
    shape = (2, 2)
    add("out", f"torch.{name}", c(*shape), c(*shape, at=3), out=c(*shape, at=5))
    fails("out-grad", f"torch.{name}", x(*shape), y(*shape), out=c(*shape))
add("out", "torch.exp", c(2), out=c(2))
add("out-resized", "torch.exp", c(2), out=c(3), kind="warning")
add("out-no-grad", "torch.exp", x(2), out=c(2), no_grad=True, kind="no-grad")
fails("out-dtype", "torch.exp", c(2), out=i([1, 2]))
add("out-wider", "torch.exp", c(2), out=c(2, dt="float64"), kind="out")
add("to", "Tensor.to", nonleaf(x(2)), dt("float32"), kind="same")
add("values", "Tensor.add_", nonleaf(v([nan, inf, -0.0])), 0.0, kind="kink")
