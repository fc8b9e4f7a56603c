"""Sums, extremes, statistics, sorting, cumulative operators."""

from __future__ import annotations

from kit import Family, Json, b, c, dt, gapped, i, inf, k, nan, ref, turned, v, x, y

FAMILY = Family("reduction")
add, fails = FAMILY.add, FAMILY.fails

TIES: Json = [[2.0, 2.0, 1.0], [0.0, 2.0, -1.0]]
NANS: Json = [[1.0, nan, 3.0], [inf, 2.0, -inf]]

# Operators that reduce everything, one dim or several.
FULL = ("sum", "mean", "amax", "amin", "var", "std", "nansum", "logsumexp")
for name in FULL:
    fn = f"torch.{name}"
    whole: Json = () if name != "logsumexp" else ((0, 1),)
    add("all", fn, x(2, 3), *whole, kind="f32")
    add("all-f64", fn, x(2, 3, dt="float64"), *whole, kind="f64")
    add("dim-0", fn, x(2, 3), 0, kind="dim")
    add("dim-minus-1", fn, x(2, 3), -1, kind="dim")
    add("dims", fn, x(2, 3, 2), (0, 2), kind="dim")
    add("keepdim", fn, x(2, 3), 1, keepdim=True)
    add("keepdim-dims", fn, x(2, 3), [0, 1], keepdim=True, kind="keepdim")
    add("strided", fn, turned(x(2, 3)), 0)
    add("nan", fn, v(NANS), 1, kind="kink")
    fails("dim", fn, x(2, 3), 2)
for name in ("sum", "mean", "prod", "amax", "nansum", "max", "min", "median"):
    add("0d", f"torch.{name}", x())
for name in ("sum", "mean", "prod", "var", "nansum", "std"):
    add("empty", f"torch.{name}", x(0))
for name in ("sum", "mean", "prod", "logsumexp"):
    add("empty-dim", f"torch.{name}", x(0, 3), 0, kind="empty")
    add("empty-kept", f"torch.{name}", x(0, 3), 1, kind="empty")
for name in ("amax", "amin", "max", "min", "argmax"):
    fails("empty", f"torch.{name}", x(0))
    fails("empty-dim", f"torch.{name}", x(0, 3), 0)
for name in ("sum", "prod", "nansum"):
    add("int", f"torch.{name}", i([[1, 2], [3, 4]]))
    add("bool", f"torch.{name}", b([1, 0, 1]))
    add("dtype", f"torch.{name}", x(3), dtype=dt("float64"))
    add("int-dtype", f"torch.{name}", i([1, 2]), dtype=dt("float32"), kind="dtype")
for name in ("mean", "var", "std"):
    fails("int", f"torch.{name}", i([1, 2]))
add("bool", "torch.logsumexp", b([1, 0]), 0)
add("int", "torch.logsumexp", i([1, 2]), 0)
add("dtype", "torch.mean", i([1, 2]), dtype=dt("float32"))
add("dim-empty", "torch.sum", x(2, 3), (), kind="dim")
add("dim-empty", "torch.mean", x(2, 3), (), kind="dim")
add("dim-empty", "torch.amax", x(2, 3), (), kind="dim")
fails("dim-repeated", "torch.sum", x(2, 3), (0, 0))
fails("dim-repeated", "torch.sum", x(2, 3), (1, -1))
fails("dim-string", "torch.sum", x(2, 3), "0")
fails("axis-float", "torch.sum", x(2, 3), 1.0)
fails("keepdim-alone", "torch.sum", x(2, 3), keepdim=True)
add("axis", "torch.sum", x(2, 3), axis=1, kind="dim")
add("dim-0d", "torch.sum", x(), 0, kind="0d")
add("dim-0d-minus", "torch.sum", x(), -1, kind="0d")
fails("dim-0d", "torch.sum", x(), 1)
add("17", "torch.sum", x(17), kind="f32")
add("40x2", "torch.sum", x(40, 2), 0, kind="f32")
add("expanded", "torch.sum", gapped(x(2, 3)), kind="strided")
add("negative-zero", "torch.sum", v([-0.0, -0.0]), kind="kink")
add("method", "Tensor.sum", x(2, 3))
add("method-dims", "Tensor.sum", x(2, 3), 0, 1, kind="error")
add("method", "Tensor.mean", x(2, 3), 1)
add("ties", "torch.amax", v(TIES), 1, kind="kink")
add("ties-all", "torch.amax", v(TIES), kind="kink")
add("ties", "torch.amin", v(TIES), 0, kind="kink")
add("int", "torch.amax", i([[1, 5], [3, 2]]), 0)
add("bool", "torch.amax", b([[1, 0], [0, 0]]), 1)

add("all", "torch.prod", x(2, 3), kind="f32")
add("all-f64", "torch.prod", x(2, 3, dt="float64"), kind="f64")
add("dim", "torch.prod", x(2, 3), 1)
add("keepdim", "torch.prod", x(2, 3), 0, keepdim=True)
add("one-zero", "torch.prod", v([2.0, 0.0, 3.0]), kind="kink")
add("two-zeros", "torch.prod", v([2.0, 0.0, 0.0]), kind="kink")
add("zeros-dim", "torch.prod", v([[2.0, 0.0], [0.0, 0.0]]), 1, kind="kink")
add("nan", "torch.prod", v([2.0, nan]), kind="kink")
fails("dim", "torch.prod", x(2, 3), 2)
fails("dims", "torch.prod", x(2, 3), (0, 1))

# Extremes with indices.
for name in ("max", "min"):
    fn = f"torch.{name}"
    add("all", fn, x(2, 3), kind="f32")
    add("all-f64", fn, x(4, dt="float64"), kind="f64")
    add("dim-0", fn, x(2, 3), 0, kind="dim")
    add("dim-minus-1", fn, x(2, 3), -1, kind="dim")
    add("keepdim", fn, x(2, 3), 1, keepdim=True)
    add("ties", fn, v(TIES), kind="kink")
    add("ties-dim", fn, v(TIES), 1, kind="kink")
    add("nan", fn, v(NANS), kind="kink")
    add("nan-dim", fn, v(NANS), 1, kind="kink")
    add("int", fn, i([[1, 5], [3, 2]]))
    add("int-dim", fn, i([[1, 5], [3, 2]]), 0, kind="int")
    add("bool", fn, b([1, 0]))
    add("strided", fn, turned(x(2, 3)), 0)
    add("0d-dim", fn, x(), 0, kind="0d")
    fails("dim", fn, x(2, 3), 2)
    fails("dims", fn, x(2, 3), (0, 1))
    arg = f"torch.arg{name}"
    add("all", arg, x(2, 3), kind="f32")
    add("dim", arg, x(2, 3), 1)
    add("keepdim", arg, x(2, 3), 0, keepdim=True)
    add("ties", arg, k([1.0, 3.0, 3.0, 1.0]), kind="kink")
    add("nan", arg, k([1.0, nan, 3.0]), kind="kink")
    add("int", arg, i([4, 7, 1]))
    fails("bool", arg, b([1, 0]))
    fails("dim", arg, x(2, 3), 2)
    add("method", f"Tensor.{name}", x(2, 3), dim=1)
add("dim", "torch.aminmax", x(2, 3), dim=1)
add("all", "torch.aminmax", x(2, 3), kind="f32")
add("ties", "torch.aminmax", v(TIES), kind="kink")
for name in ("median", "nanmedian"):
    fn = f"torch.{name}"
    add("odd", fn, x(5), kind="f32")
    add("even", fn, x(4), kind="f32")
    add("dim", fn, x(2, 3), 1)
    add("keepdim", fn, x(2, 3), 0, keepdim=True)
    add("nan", fn, v([1.0, nan, 3.0]), kind="kink")
    add("nan-dim", fn, v([[1.0, nan, 3.0], [4.0, 2.0, 6.0]]), 1, kind="kink")
    add("ties", fn, v([1.0, 2.0, 2.0, 2.0, 3.0]), kind="kink")
    add("int", fn, i([5, 1, 3, 2]))
add("empty", "torch.median", x(0))
add("dim", "torch.mode", v([[1.0, 2.0, 2.0], [3.0, 3.0, 4.0]]), 1)
add("default", "torch.mode", v([1.0, 2.0, 2.0, 1.0]), kind="kink")
add("keepdim", "torch.mode", v([[1.0, 2.0, 2.0]]), 1, keepdim=True)
add("dim", "torch.kthvalue", x(2, 3), 2, 1)
add("default", "torch.kthvalue", x(4), 3, kind="f32")
add("keepdim", "torch.kthvalue", x(2, 3), 1, 0, keepdim=True)
fails("k", "torch.kthvalue", x(4), 5)

# Statistics.
for name in ("var", "std"):
    fn = f"torch.{name}"
    add("biased", fn, x(2, 3), unbiased=False, kind="f32")
    add("dim-biased", fn, x(2, 3), 1, unbiased=False, kind="dim")
    add("correction-2", fn, x(5), correction=2, kind="f32")
    add(
        "correction-0-dim",
        fn,
        x(2, 3),
        dim=0,
        correction=0,
        keepdim=True,
        kind="keepdim",
    )
    add("one", fn, v([2.5]), kind="kink")
    add("equal", fn, v([1.5, 1.5, 1.5]), kind="kink")
    add("correction-large", fn, x(3), correction=3, kind="kink")
    pair = f"torch.{name}_mean"
    add("all", pair, x(2, 3), kind="f32")
    add("dim", pair, x(2, 3), 1)
    add("keepdim", pair, x(2, 3), 0, keepdim=True, unbiased=False)
    add("correction", pair, x(4), correction=0, kind="f32")
add("method", "Tensor.std", x(4))
add("method", "Tensor.var", x(2, 3), 0, False)
for p in (None, 2, 1, 0, 3, 0.5, -1, inf, -inf, "fro"):
    add(f"p-{p}", "torch.norm", x(2, 3), *([] if p is None else [p]), kind="f32")
    if p is not None and p != "fro":
        add(f"ord-{p}", "torch.linalg.vector_norm", x(4), p, kind="f32")
add("f64", "torch.norm", x(2, 3, dt="float64"))
add("dim", "torch.norm", x(2, 3), dim=1)
add("p-dim", "torch.norm", x(2, 3), p=2, dim=1, keepdim=True, kind="keepdim")
add("p-1-dim", "torch.norm", x(2, 3), p=1, dim=0, kind="dim")
add("zero", "torch.norm", v([0.0, 0.0]), kind="kink")
add("zero-row", "torch.norm", v([[0.0, 0.0], [3.0, 4.0]]), dim=1, kind="kink")
add("zero-p1", "torch.norm", v([0.0, -1.0]), p=1, kind="kink")
add("zero-p3", "torch.norm", v([0.0, -1.0]), p=3, kind="kink")
add("inf-ties", "torch.norm", v([2.0, -2.0, 1.0]), p=inf, kind="kink")
add("nan", "torch.norm", v([nan, 1.0]), kind="kink")
add("0d", "torch.norm", v(-3.0))
add("empty", "torch.norm", x(0))
add("method", "Tensor.norm", x(2, 3))
add("method-p", "Tensor.norm", x(2, 3), 1, kind="method")
add("method-dim", "Tensor.norm", x(2, 3), dim=1, kind="method")
fails("int", "torch.norm", i([3, 4]))
fails("dim", "torch.norm", x(2, 3), dim=5)
add("all", "torch.linalg.norm", x(2, 3), kind="f32")
add("dim", "torch.linalg.norm", x(2, 3), dim=1)
add("ord-1", "torch.linalg.norm", x(4), 1, kind="f32")
add("matrix-1", "torch.linalg.norm", x(2, 3), 1, kind="f32")
add("matrix-inf", "torch.linalg.norm", x(2, 3), inf, kind="f32")
add("fro", "torch.linalg.norm", x(2, 3), "fro", kind="f32")
add("fro", "torch.linalg.matrix_norm", x(2, 2, 3), kind="f32")
add("keepdim", "torch.linalg.matrix_norm", x(2, 3), ord=1, keepdim=True)
add("dim", "torch.linalg.vector_norm", x(2, 3), 2, 1)
add("keepdim", "torch.linalg.vector_norm", x(2, 3), dim=(0, 1), keepdim=True)
add("dtype", "torch.linalg.vector_norm", x(3), dtype=dt("float64"))
fails("int", "torch.linalg.vector_norm", i([3, 4]))
for p in (2, 1, 0, inf, 3):
    add(f"p-{p}", "torch.dist", x(2, 3), y(2, 3), p, kind="f32")
add("same", "torch.dist", x(3), ref(0), kind="kink")

# Order.
for name, extra in (("sort", []), ("argsort", []), ("topk", [2]), ("msort", [])):
    fn = f"torch.{name}"
    add("f32", fn, x(2, 3), *extra)
    add("ties", fn, v([[2.0, 1.0, 2.0]]), *extra, kind="kink")
    if name != "msort":
        add("dim-0", fn, x(3, 2), *extra, dim=0, kind="dim")
        add("int", fn, i([3, 1, 2]), *extra)
for name in ("sort", "argsort"):
    fn = f"torch.{name}"
    add("descending", fn, x(4), descending=True)
    add("stable", fn, v([2.0, 1.0, 2.0, 1.0]), stable=True)
    add(
        "stable-descending",
        fn,
        v([2.0, 1.0, 2.0, 1.0]),
        stable=True,
        dim=0,
        descending=True,
        kind="stable",
    )
    add("nan", fn, v([nan, 1.0, -inf, inf]), kind="kink")
add("bool", "torch.sort", b([1, 0, 1]))
add("0d", "torch.sort", x())
add("empty", "torch.sort", x(0))
add("method", "Tensor.sort", x(3), -1, True)
add("smallest", "torch.topk", x(4), 2, largest=False)
add("nan", "torch.topk", v([nan, 1.0, 3.0]), 2, kind="kink")
add("zero", "torch.topk", x(3), 0, kind="kink")
fails("k", "torch.topk", x(3), 4)
add("method", "Tensor.topk", x(2, 3), 1)

# Cumulative operators.
for name in ("cumsum", "cumprod", "cummax", "cummin", "logcumsumexp"):
    fn = f"torch.{name}"
    add("dim-0", fn, x(3, 2), 0, kind="dim")
    add("dim-minus-1", fn, x(2, 3), -1, kind="f32")
    add("f64", fn, x(4, dt="float64"), 0)
    add("0d", fn, x(), 0)
    add("empty", fn, x(0), 0)
    add("strided", fn, turned(x(2, 3)), 1)
    add("nan", fn, v([1.0, nan, 3.0, 0.5]), 0, kind="kink")
    fails("dim", fn, x(2), 1)
    if name != "logcumsumexp":
        add("int", fn, i([2, 1, 3]), 0)
add("zeros", "torch.cumprod", v([2.0, 0.0, 3.0, 0.0, 4.0]), 0, kind="kink")
add("bool", "torch.cumsum", b([1, 1, 0]), 0)
add("dtype", "torch.cumsum", x(3), 0, dtype=dt("float64"))
add("ties", "torch.cummax", v([1.0, 2.0, 2.0, 1.0]), 0, kind="kink")
add("ties", "torch.cummin", v([1.0, 0.5, 0.5, 1.0]), 0, kind="kink")
fails("missing", "torch.cumsum", x(3))
add("f32", "torch.diff", x(5))
add("order-2", "torch.diff", x(5), n=2)
add("dim", "torch.diff", x(2, 3), dim=0)
add("prepend", "torch.diff", x(3), prepend=y(1), append=c(2))
add("f32", "torch.trapezoid", x(2, 4))
add("f32", "torch.trapz", x(4))
add("dx", "torch.trapezoid", x(4), dx=0.5)
add("x", "torch.trapezoid", x(4), k([0.0, 1.0, 2.5, 3.0]))
add("f32", "torch.cumulative_trapezoid", x(4))
add("f32", "torch.trace", x(3, 3))
add("wide", "torch.trace", x(2, 3))
fails("vector", "torch.trace", x(3))
add("nan", "torch.nanmean", v([1.0, nan, 3.0]))
add("dim", "torch.nanmean", v(NANS), 1)

# Quantiles and counting.
add("number", "torch.quantile", x(5), 0.45)
add("tensor", "torch.quantile", x(2, 4), k([0.25, 0.5, 0.9]), dim=1)
add("keepdim", "torch.quantile", x(2, 3), 0.5, dim=0, keepdim=True)
for how in ("lower", "higher", "nearest", "midpoint", "linear"):
    add(f"{how}", "torch.quantile", x(4), 0.4, interpolation=how, kind="f32")
add("nan", "torch.quantile", v([1.0, nan, 2.0]), 0.5, kind="kink")
add("nan", "torch.nanquantile", v([1.0, nan, 2.0]), 0.5, kind="kink")
fails("range", "torch.quantile", x(4), 1.5)
fails("int", "torch.quantile", i([1, 2]), 0.5)
add("all", "torch.count_nonzero", k([[0.0, 2.0], [nan, 0.0]]), kind="f32")
add("dim", "torch.count_nonzero", k([[0.0, 2.0], [3.0, 0.0]]), 0)
add("f32", "torch.unique", k([2.0, 1.0, 2.0, 3.0]))
add(
    "all",
    "torch.unique",
    i([2, 1, 2, 3]),
    return_inverse=True,
    return_counts=True,
    kind="int",
)
add("counts", "torch.unique", i([[2, 1], [2, 3]]), return_counts=True, kind="int")
add("dim", "torch.unique", i([[1, 2], [1, 2], [0, 5]]), dim=0)
add("unsorted", "torch.unique", i([2, 1, 2]), sorted=True, kind="int")
add("grad", "torch.unique", x(3), kind="f32")
add("f32", "torch.unique_consecutive", k([1.0, 1.0, 2.0, 1.0]))
add(
    "all",
    "torch.unique_consecutive",
    i([1, 1, 2, 1]),
    return_inverse=True,
    return_counts=True,
    kind="int",
)
add("int", "torch.bincount", i([0, 2, 2, 4]))
add("minlength", "torch.bincount", i([1]), minlength=4, kind="int")
add("weights", "torch.bincount", i([0, 2, 2]), c(3), kind="f32")
fails("negative", "torch.bincount", i([-1, 2]))
fails("float", "torch.bincount", c(2))
add("f32", "torch.histc", k([1.0, 2.0, 2.5, 4.0]), 4, 0, 4)
add("range", "torch.histc", k([1.0, 2.0, 5.0]), bins=3)
add("f32", "torch.histogram", k([1.0, 2.0, 2.5, 4.0]), 3)
SORTED: Json = k([1.0, 3.0, 5.0])
add("f32", "torch.searchsorted", SORTED, k([0.0, 3.0, 4.0, 9.0]))
add("right", "torch.searchsorted", SORTED, k([1.0, 3.0]), right=True)
add("number", "torch.searchsorted", SORTED, 3.5)
add(
    "rows",
    "torch.searchsorted",
    k([[1.0, 2.0], [3.0, 4.0]]),
    k([[1.5], [3.0]]),
    kind="dim",
)
add("f32", "torch.bucketize", k([0.0, 3.0, 4.0]), SORTED)
add("right", "torch.bucketize", k([1.0, 3.0]), SORTED, right=True)
add("number", "torch.bucketize", 2, SORTED)

# Truth.
for name in ("all", "any"):
    fn = f"torch.{name}"
    add("bool", fn, b([[1, 1], [0, 1]]))
    add("dim", fn, b([[1, 1], [0, 1]]), 1)
    add("keepdim", fn, b([[1, 1], [0, 1]]), 0, keepdim=True)
    add("dims", fn, b([[1, 1], [0, 1]]), (0, 1), kind="dim")
    add("f32", fn, k([0.0, 2.0, nan]))
    add("int", fn, i([0, 3]))
    add("empty", fn, b([]))
    add("grad", fn, x(3), kind="f32")

add("f32", "torch.renorm", x(3, 2), 2, 0, 1.5)
add("p-1", "torch.renorm", x(2, 3), 1, 1, 2.0)
add("f32", "torch.cov", x(2, 4))
add("correction", "torch.cov", x(2, 4), correction=0)
add("f32", "torch.corrcoef", x(2, 4))
