"""The losses of torch.nn.functional."""

from __future__ import annotations

from kit import Family, Json, b, c, i, inf, k, nan, v, x, y

FAMILY = Family("loss")
add, fails = FAMILY.add, FAMILY.fails
REDUCTIONS = ("mean", "sum", "none")

# Losses of an input and a target of the same shape: domains, kinks of input and target.
PAIRS: dict[str, tuple[str, str, list[float], list[float]]] = {
    "mse_loss": ("real", "other", [0.0, inf, nan], [0.0, 1.0, 1.0]),
    "l1_loss": ("real", "other", [1.0, inf, nan], [1.0, 1.0, 1.0]),
    "smooth_l1_loss": ("real", "other", [1.0, 2.0, 0.0], [1.0, 1.0, 1.0]),
    "huber_loss": ("real", "other", [1.0, 2.0, 0.0], [1.0, 1.0, 1.0]),
    "binary_cross_entropy": (
        "prob",
        "prob",
        [0.0, 1.0, 0.0, 1.0],
        [0.0, 1.0, 1.0, 0.0],
    ),
    "binary_cross_entropy_with_logits": (
        "real",
        "prob",
        [0.0, 100.0, -100.0, inf],
        [1.0, 0.0, 1.0, 1.0],
    ),
    "kl_div": ("real", "prob", [0.0, -1.0, -inf], [0.0, 1.0, 0.5]),
    "poisson_nll_loss": ("real", "pos", [0.0, 5.0], [0.0, 1.0]),
    "soft_margin_loss": ("real", "unit", [0.0, 100.0], [1.0, -1.0]),
}
for name, (first, second, left, right) in PAIRS.items():
    fn = f"F.{name}"
    for how in REDUCTIONS:
        add(
            how,
            fn,
            x(2, 3, dom=first),
            c(2, 3, dom=second, at=2),
            reduction=how,
            kind="f32",
        )
    add("f64", fn, x(4, dom=first, dt="float64"), c(4, dom=second, at=2, dt="float64"))
    target = fails if name == "soft_margin_loss" else add
    target("target-grad", fn, x(3, dom=first), y(3, dom=second, at=2))
    add("kink", fn, v(left), k(right), reduction="none")
    fails("reduction", fn, x(3, dom=first), c(3, dom=second), reduction="average")
for name in ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss"):
    fn = f"F.{name}"
    add("broadcast", fn, x(2, 3), c(3), kind="warning")
    add("default", fn, x(3), c(3), kind="f32")
    add("0d", fn, x(), c())
    add("empty", fn, x(0), c(0))
    fails("shape", fn, x(2, 3), c(2))
add("mixed", "F.mse_loss", x(3), c(3, dt="float64"), kind="promote")
add("int-target", "F.mse_loss", x(2), i([1, 2]), kind="promote")
fails("ints", "F.mse_loss", i([1, 2]), i([1, 3]))
fails("size_average", "F.mse_loss", x(2), c(2), beta=1)
add("size_average", "F.mse_loss", x(2), c(2), size_average=False, kind="warning")
add("beta", "F.smooth_l1_loss", x(2, 3), c(2, 3), beta=0.5)
add("beta-zero", "F.smooth_l1_loss", x(3), c(3), beta=0.0, kind="kink")
fails("beta", "F.smooth_l1_loss", x(3), c(3), beta=-1.0)
add("delta", "F.huber_loss", x(2, 3), c(2, 3), delta=0.5)
fails("delta", "F.huber_loss", x(3), c(3), delta=0.0)
add(
    "weight",
    "F.binary_cross_entropy",
    x(3, dom="prob"),
    c(3, dom="prob", at=3),
    weight=c(3, dom="pos"),
)
fails("range", "F.binary_cross_entropy", v([1.5, 0.5]), k([1.0, 0.0]))
fails("shape", "F.binary_cross_entropy", x(3, dom="prob"), c(2, dom="prob"))
LOGITS = "F.binary_cross_entropy_with_logits"
add("weight", LOGITS, x(3), c(3, dom="prob"), weight=c(3, dom="pos"))
add("pos-weight", LOGITS, x(2, 3), c(2, 3, dom="prob"), pos_weight=c(3, dom="pos"))
add(
    "both-weights",
    LOGITS,
    x(3),
    c(3, dom="prob"),
    weight=c(3, dom="pos"),
    pos_weight=c(3, dom="big"),
)
fails("shape", LOGITS, x(3), c(2, dom="prob"))
fails("target-int", "F.binary_cross_entropy", x(2, dom="prob"), i([1, 0]))
fails("target-int", LOGITS, x(2), i([1, 0]))
add("batchmean", "F.kl_div", x(2, 3), c(2, 3, dom="prob"), reduction="batchmean")
add(
    "log-target",
    "F.kl_div",
    x(2, 3),
    c(2, 3, dom="real"),
    reduction="sum",
    log_target=True,
)
add("mean-warning", "F.kl_div", x(2, 3), c(2, 3, dom="prob"), kind="warning")
add("full", "F.poisson_nll_loss", x(3), c(3, dom="big"), full=True)
add("plain", "F.poisson_nll_loss", x(3, dom="pos"), c(3, dom="pos"), log_input=False)
for how in REDUCTIONS:
    add(
        how,
        "F.gaussian_nll_loss",
        x(2, 3),
        c(2, 3),
        y(2, 3, dom="pos"),
        reduction=how,
        kind="f32",
    )
add("full", "F.gaussian_nll_loss", x(3), c(3), y(3, dom="pos"), full=True)
add("broadcast", "F.gaussian_nll_loss", x(2, 3), c(2, 3), y(2, 1, dom="pos"))
fails("negative", "F.gaussian_nll_loss", x(2), c(2), k([-1.0, 1.0]))

# Class targets.
TARGET: Json = i([0, 2])
for how in REDUCTIONS:
    add(how, "F.nll_loss", x(2, 3), TARGET, reduction=how, kind="f32")
    add(
        f"{how}-weight",
        "F.nll_loss",
        x(2, 3),
        TARGET,
        weight=c(3, dom="pos"),
        reduction=how,
        kind="weight",
    )
    add(
        f"{how}-ignore",
        "F.nll_loss",
        x(3, 3),
        i([0, 1, 2]),
        ignore_index=1,
        reduction=how,
        kind="ignore",
    )
    add(how, "F.cross_entropy", x(2, 3), TARGET, reduction=how, kind="f32")
    add(
        f"{how}-weight",
        "F.cross_entropy",
        x(2, 3),
        TARGET,
        weight=c(3, dom="pos"),
        reduction=how,
        kind="weight",
    )
    add(
        f"{how}-ignore",
        "F.cross_entropy",
        x(3, 3),
        i([0, -100, 2]),
        reduction=how,
        kind="ignore",
    )
    add(
        f"{how}-smooth",
        "F.cross_entropy",
        x(2, 3),
        TARGET,
        label_smoothing=0.1,
        reduction=how,
        kind="smooth",
    )
    add(
        f"{how}-probabilities",
        "F.cross_entropy",
        x(2, 3),
        c(2, 3, dom="prob"),
        reduction=how,
        kind="probabilities",
    )
    add(
        f"{how}-2d",
        "F.cross_entropy",
        x(1, 2, 2, 2),
        i([[[0, 1], [1, 0]]]),
        reduction=how,
        kind="2d",
    )
    add(
        f"{how}-2d",
        "F.nll_loss",
        x(1, 2, 2, 2),
        i([[[0, 1], [1, 0]]]),
        reduction=how,
        kind="2d",
    )
for name in ("nll_loss", "cross_entropy"):
    fn = f"F.{name}"
    add("f64", fn, x(2, 3, dt="float64"), TARGET)
    add("one-sample", fn, x(3), i(1), kind="0d")
    add("all-ignored", fn, x(2, 3), i([-100, -100]), kind="kink")
    add("sequence", fn, x(2, 3, 2), i([[0, 1], [2, 0]]), kind="2d")
    add("empty", fn, x(0, 3), i([]))
    fails("range", fn, x(2, 3), i([0, 3]))
    fails("negative", fn, x(2, 3), i([0, -1]))
    fails("batch", fn, x(2, 3), i([0, 1, 2]))
    fails("target-int-shape", fn, x(2, 3), i([[0], [1]]))
    fails("weight", fn, x(2, 3), TARGET, weight=c(2))
    fails("0d", fn, x(), i(0))
fails("target-float", "F.nll_loss", x(2, 3), c(2))
fails("target-float", "F.cross_entropy", x(2, 3), c(2))
fails("target-bool", "F.cross_entropy", x(2, 3), b([1, 0]))
fails("smoothing", "F.cross_entropy", x(2, 3), TARGET, label_smoothing=1.5)
add("target-grad", "F.cross_entropy", x(2, 3), y(2, 3, dom="prob"))
add(
    "weight-smooth",
    "F.cross_entropy",
    x(2, 3),
    TARGET,
    weight=c(3, dom="pos"),
    label_smoothing=0.2,
    kind="smooth",
)
add(
    "weight-probabilities",
    "F.cross_entropy",
    x(2, 3),
    c(2, 3, dom="prob"),
    weight=c(3, dom="pos"),
    kind="probabilities",
)
add(
    "smooth-probabilities",
    "F.cross_entropy",
    x(2, 3),
    c(2, 3, dom="prob"),
    label_smoothing=0.2,
    kind="probabilities",
)
add("large", "F.cross_entropy", v([[1000.0, 0.0, -1000.0]]), i([1]), kind="kink")
add("minus-inf", "F.cross_entropy", v([[-inf, 0.0]]), i([1]), kind="kink")

# Margins and embeddings.
SIGNS: Json = k([1.0, -1.0])
for how in REDUCTIONS:
    add(
        how,
        "F.hinge_embedding_loss",
        x(2, 2),
        k([[1.0, -1.0], [-1.0, 1.0]]),
        reduction=how,
        kind="f32",
    )
    add(how, "F.margin_ranking_loss", x(2), y(2), SIGNS, reduction=how, kind="f32")
    add(
        how,
        "F.cosine_embedding_loss",
        x(2, 3),
        y(2, 3),
        SIGNS,
        reduction=how,
        kind="f32",
    )
    add(
        how,
        "F.triplet_margin_loss",
        x(2, 3),
        y(2, 3),
        x(2, 3, at=5),
        reduction=how,
        kind="f32",
    )
    add(how, "F.multi_margin_loss", x(2, 3), TARGET, reduction=how, kind="f32")
    add(
        how,
        "F.multilabel_margin_loss",
        x(1, 3),
        i([[2, 0, -1]]),
        reduction=how,
        kind="f32",
    )
    add(
        how,
        "F.multilabel_soft_margin_loss",
        x(2, 3),
        k([[1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]),
        reduction=how,
        kind="f32",
    )
add("margin", "F.hinge_embedding_loss", x(2), SIGNS, margin=2.0)
add("margin", "F.margin_ranking_loss", x(2), y(2), SIGNS, margin=0.5)
add("margin", "F.cosine_embedding_loss", x(2, 3), y(2, 3), SIGNS, margin=0.2)
add(
    "margin",
    "F.triplet_margin_loss",
    x(2, 3),
    y(2, 3),
    x(2, 3, at=5),
    margin=3.0,
    p=1.0,
)
add("swap", "F.triplet_margin_loss", x(2, 3), y(2, 3), x(2, 3, at=5), swap=True)
add("p-2", "F.multi_margin_loss", x(2, 3), TARGET, p=2, margin=0.5)
add("weight", "F.multi_margin_loss", x(2, 3), TARGET, weight=c(3, dom="pos"))
add("vector", "F.multilabel_margin_loss", x(3), i([1, -1, 0]), kind="f32")
fails("sizes", "F.margin_ranking_loss", x(2, 2), y(2), SIGNS)
add(
    "f32",
    "F.ctc_loss",
    x(4, 1, 3, dom="real"),
    i([[1, 2]]),
    i([4]),
    i([2]),
)
