"""Element-wise functions of one tensor."""

from __future__ import annotations

from kit import Family, Json, b, c, i, inf, k, nan, nonleaf, turned, v, x

FAMILY = Family("unary")
add, fails = FAMILY.add, FAMILY.fails

NOT_FINITE: list[Json] = [nan, inf, -inf]

# name: domain, kinks (not-finite values are added)
UNARY: dict[str, tuple[str, list[Json]]] = {
    "abs": ("real", [0.0, -0.0]),
    "neg": ("real", [0.0, -0.0]),
    "exp": ("real", [0.0, 89.0, -104.0]),
    "exp2": ("real", [0.0, 128.0, -150.0]),
    "expm1": ("real", [0.0, -0.0, 1e-8]),
    "log": ("pos", [0.0, -0.0, -1.0, 1.0]),
    "log2": ("pos", [0.0, -1.0, 8.0]),
    "log10": ("pos", [0.0, -1.0, 1000.0]),
    "log1p": ("pos", [0.0, -1.0, -2.0, 1e-8]),
    "sqrt": ("pos", [0.0, -0.0, -1.0, 4.0]),
    "rsqrt": ("pos", [0.0, -0.0, -1.0, 4.0]),
    "reciprocal": ("real", [0.0, -0.0]),
    "square": ("real", [0.0, -0.0]),
    "sin": ("real", [0.0, -0.0]),
    "cos": ("real", [0.0]),
    "tan": ("real", [0.0, -0.0]),
    "asin": ("unit", [1.0, -1.0, 1.5, 0.0]),
    "acos": ("unit", [1.0, -1.0, 1.5, 0.0]),
    "atan": ("real", [0.0, -0.0]),
    "sinh": ("real", [0.0, -0.0]),
    "cosh": ("real", [0.0]),
    "tanh": ("real", [0.0, -0.0, 20.0]),
    "asinh": ("real", [0.0, -0.0]),
    "acosh": ("big", [1.0, 0.5]),
    "atanh": ("unit", [1.0, -1.0, 1.5, 0.0]),
    "sigmoid": ("real", [0.0, 100.0, -100.0]),
    "relu": ("real", [0.0, -0.0]),
    "erf": ("real", [0.0, -0.0]),
    "erfc": ("real", [0.0, 20.0]),
    "erfinv": ("unit", [0.0, 1.0, -1.0, 1.5]),
    "floor": ("real", [2.0, -0.0, -0.5]),
    "ceil": ("real", [2.0, -0.5]),
    "round": ("real", [0.5, 1.5, 2.5, -0.5]),
    "trunc": ("real", [2.0, -0.5]),
    "frac": ("real", [2.0, -2.5]),
    "sign": ("real", [0.0, -0.0]),
    "sgn": ("real", [0.0, -0.0]),
    "sinc": ("real", [0.0, 1.0]),
    "deg2rad": ("real", [180.0]),
    "rad2deg": ("real", [3.0]),
    "nan_to_num": ("real", [0.0]),
    "lgamma": ("pos", [0.0, -1.0, 1.0]),
    "digamma": ("pos", [0.0, -1.0]),
    "i0": ("real", [0.0]),
}

for name, (dom, kinks) in UNARY.items():
    fn = f"torch.{name}"
    add("f32", fn, x(2, 3, dom=dom))
    add("f64", fn, x(4, dom=dom, dt="float64"))
    add("kink", fn, v(kinks + NOT_FINITE))
    (fails if name == "frac" else add)("int", fn, i([1, 2, 3]))

for name in (
    "abs",
    "exp",
    "log",
    "sqrt",
    "sin",
    "tanh",
    "sigmoid",
    "relu",
    "neg",
    "reciprocal",
    "floor",
    "square",
):
    dom, kinks = UNARY[name]
    fn = f"torch.{name}"
    add("0d", fn, x(dom=dom))
    add("empty", fn, x(0, dom=dom))
    add("strided", fn, turned(x(2, 2, dom=dom)))
    add("method", f"Tensor.{name}", nonleaf(x(3, dom=dom)))
    add("kink64", fn, v(kinks + NOT_FINITE, dt="float64"), kind="kink")
for name in (
    "exp",
    "sqrt",
    "sigmoid",
    "sin",
    "log",
    "tanh",
    "sign",
    "square",
    "reciprocal",
):
    add("bool", f"torch.{name}", b([1, 0, 1]))
for name in ("abs", "neg", "relu", "floor", "ceil", "round", "trunc", "frac"):
    fails("bool", f"torch.{name}", b([1, 0]))
for name in ("floor", "ceil", "round", "trunc"):
    add("int-negative", f"torch.{name}", i([-3, 4]), kind="int")

for name, target in (
    ("absolute", "abs"),
    ("negative", "neg"),
    ("arcsin", "asin"),
    ("arctanh", "atanh"),
    ("fix", "trunc"),
):
    add("alias", f"torch.{name}", x(3, dom=UNARY[target][0]))
for name, dom in (
    ("expit", "real"),
    ("exp2", "real"),
    ("expm1", "real"),
    ("log1p", "pos"),
    ("erf", "real"),
    ("erfcx", "real"),
    ("entr", "pos"),
    ("ndtr", "real"),
    ("log_ndtr", "real"),
    ("ndtri", "prob"),
    ("gammaln", "pos"),
    ("psi", "pos"),
    ("round", "real"),
    ("sinc", "real"),
    ("i0e", "real"),
    ("i1", "real"),
):
    add("special", f"torch.special.{name}", x(3, dom=dom))
add("kink-special", "torch.special.entr", v([0.0, -1.0, 1.0, nan, inf]), kind="kink")
add("decimals-2", "torch.round", x(4), decimals=2, kind="number")
add(
    "decimals-minus-1",
    "torch.round",
    v([14.0, 15.0, -26.0]),
    decimals=-1,
    kind="number",
)
add(
    "half-even-f64",
    "torch.round",
    v([0.5, 1.5, 2.5, 3.5, -1.5], dt="float64"),
    kind="kink",
)
fails("decimals-int", "torch.round", i([14, 15]), decimals=1)
add("f32", "torch.logit", x(3, dom="prob"))
add("f64", "torch.logit", x(3, dom="prob", dt="float64"))
add("eps", "torch.logit", v([0.0, 0.05, 0.5, 0.95, 1.0]), eps=0.1)
add("kink", "torch.logit", v([0.0, 1.0, -0.5, 1.5, 0.5]))
add(
    "values",
    "torch.nan_to_num",
    v([nan, inf, -inf, 1.0]),
    nan=2.0,
    posinf=3.0,
    neginf=-3.0,
)
add(
    "f64-limits",
    "torch.nan_to_num",
    v([nan, inf, -inf, 1.0], dt="float64"),
    kind="kink",
)
add("values-nan", "torch.nan_to_num", v([nan, inf]), nan=nan, kind="kink")
add("mvlgamma", "torch.mvlgamma", x(3, dom="big"), 2, kind="f32")
add("polygamma", "torch.polygamma", 1, x(3, dom="pos"), kind="f32")
add("f32", "torch.positive", x(3))
fails("bool", "torch.positive", b([1, 0]))

# clamp and its relatives
add("both", "torch.clamp", x(2, 3), -0.8, 1.0)
add("both-f64", "torch.clamp", x(4, dt="float64"), -0.8, 1.0)
add("min", "torch.clamp", x(4), min=0.0)
add("max", "torch.clamp", x(4), max=0.4)
add("int-bounds", "torch.clamp", x(4), 0, 1)
add("edges", "torch.clamp", v([-1.0, 1.0, 0.0, nan, inf, -inf]), -1.0, 1.0, kind="kink")
add("crossed", "torch.clamp", x(3), 1.0, -1.0, kind="kink")
add("nan-bound", "torch.clamp", x(3), nan, 1.0, kind="kink")
add(
    "tensors",
    "torch.clamp",
    x(2, 3),
    c(2, 3, dom="unit", at=1),
    c(3, dom="big"),
    kind="f32",
)
add("tensor-min", "torch.clamp", x(3), min=c(3))
add("tensor-max", "torch.clamp", x(3), max=c(3))
add("tensor-grads", "torch.clamp", x(4), x(4, dom="unit"), x(4, dom="big"), kind="f32")
add(
    "tensor-grads-crossed",
    "torch.clamp",
    v([0.0, 1.0, 2.0]),
    v([1.0, 1.0, 1.0]),
    v([0.5, 1.0, 2.0]),
    kind="kink",
)
add("int", "torch.clamp", i([1, 5, -3]), 0, 4)
add("int-float", "torch.clamp", i([1, 5, -3]), 0.5, 4.5, kind="promote")
add("0d", "torch.clamp", x(), 0.0, 1.0)
add("empty", "torch.clamp", x(0), 0.0, 1.0)
fails("no-bounds", "torch.clamp", x(3))
fails("mixed-bounds", "torch.clamp", x(3), 0.0, c(3))
add("f32", "torch.clip", x(4), -0.8, 1.0)
add("max-only", "torch.clip", x(4), max=1)
add("f32", "torch.clamp_min", x(4), 0.2)
add("f32", "torch.clamp_max", x(4), 0.2)
add("tensor", "torch.clamp_min", x(4), x(4, dom="unit"))
add("tensor", "torch.clamp_max", x(4), x(4, dom="unit"))
add("edges", "torch.clamp_min", v([0.0, 1.0, nan]), 0.0, kind="kink")
add("edges", "torch.clamp_max", v([0.0, 1.0, nan]), 1.0, kind="kink")
add("method", "Tensor.clamp", nonleaf(x(4)), min=-0.5, max=0.5)
fails("list", "torch.exp", [1.0, 2.0])
fails("number", "torch.exp", 1.0)
fails("two", "torch.exp", x(2), x(2))
fails("unknown", "torch.relu", x(2), inplace=True)
fails("unknown", "torch.sqrt", x(2), dim=1)
add("bool-like", "torch.abs", k([-3, 4], "int64"), kind="int")
