"""The rest of torch.nn.functional that draws no random numbers."""

from __future__ import annotations

from kit import Family, Json, b, c, i, k, nan, nonleaf, turned, v, x, y

FAMILY = Family("functional")
add, fails = FAMILY.add, FAMILY.fails

for label, shape in {
    "1d": (3,),
    "2d": (2, 3),
    "3d": (2, 2, 3),
    "4d": (1, 2, 1, 3),
}.items():
    add(f"{label}-bias", "F.linear", x(*shape), y(4, 3), x(4, at=5), kind="f32")
    add(label, "F.linear", x(*shape), y(4, 3), kind="f32")
add(
    "f64",
    "F.linear",
    x(2, 3, dt="float64"),
    y(1, 3, dt="float64"),
    x(1, at=4, dt="float64"),
)
add("const-input", "F.linear", c(2, 3), y(2, 3), y(2, at=6), kind="const")
add("const-input-3d", "F.linear", c(2, 2, 3), y(2, 3), y(2, at=6), kind="const")
add("const-weight", "F.linear", x(2, 3), c(2, 3), kind="const")
add("weight-1d", "F.linear", x(2, 3), y(3), kind="f32")
fails("weight-1d-bias", "F.linear", x(2, 3), y(3), y(at=4))
add("weight-1d-vector", "F.linear", x(3), y(3), y(at=4), kind="f32")
add("strided", "F.linear", turned(x(2, 3)), y(2, 3), y(2, at=6))
add("strided-3d", "F.linear", turned(x(2, 2, 3)), y(2, 3), y(2, at=6), kind="strided")
add("empty", "F.linear", x(0, 3), y(2, 3), y(2, at=6))
add("nonleaf", "F.linear", nonleaf(x(2, 3)), y(2, 3), y(2, at=6))
fails("features", "F.linear", x(2, 3), y(2, 4))
fails("features-3d", "F.linear", x(2, 2, 3), y(2, 4), c(2))
fails("bias", "F.linear", x(2, 3), y(2, 3), c(3))
fails("dtypes", "F.linear", x(2, 3), y(2, 3, dt="float64"))
fails("vector", "F.linear", x(3), y(2))
add("f32", "F.bilinear", x(2, 2), y(2, 3), x(2, 2, 3, at=4), y(2, at=5))
add("plain", "F.bilinear", x(2, 2), y(2, 3), x(1, 2, 3, at=4))

TABLE: Json = x(4, 2)
WORDS: Json = i([1, 3, 1])
add("f32", "F.embedding", WORDS, TABLE)
add("2d", "F.embedding", i([[0, 1], [2, 2]]), TABLE, kind="f32")
add("0d", "F.embedding", i(2), TABLE)
add("empty", "F.embedding", i([]), TABLE)
add("padding", "F.embedding", WORDS, TABLE, padding_idx=1)
add("padding-minus", "F.embedding", WORDS, TABLE, padding_idx=-1, kind="padding")
add("frequency", "F.embedding", WORDS, TABLE, scale_grad_by_freq=True)
add("max-norm", "F.embedding", WORDS, c(4, 2), max_norm=1.0, kind="mutates")
add("max-norm-grad", "F.embedding", WORDS, nonleaf(TABLE), max_norm=1.0, kind="mutates")
add("f64", "F.embedding", WORDS, x(4, 2, dt="float64"))
fails("range", "F.embedding", i([4]), TABLE)
fails("float", "F.embedding", c(2), TABLE)
fails("padding", "F.embedding", WORDS, TABLE, padding_idx=9)
for how in ("sum", "mean", "max"):
    add(how, "F.embedding_bag", i([0, 1, 3, 1]), TABLE, i([0, 2]), mode=how, kind="f32")
add("2d", "F.embedding_bag", i([[0, 1], [3, 2]]), TABLE, kind="f32")
add(
    "weights",
    "F.embedding_bag",
    i([[0, 1]]),
    TABLE,
    mode="sum",
    per_sample_weights=y(1, 2),
)
add("f32", "F.one_hot", i([0, 2, 1]))
add("classes", "F.one_hot", i([0, 1]), 4)
add("2d", "F.one_hot", i([[0], [1]]), kind="int")
fails("classes", "F.one_hot", i([0, 4]), 4)
fails("negative", "F.one_hot", i([-1, 0]))
fails("float", "F.one_hot", c(2))

for how in ("constant", "reflect", "replicate", "circular"):
    add(how, "F.pad", x(1, 2, 3), (1, 2), mode=how, kind="f32")
    add(f"{how}-2d", "F.pad", x(1, 1, 2, 3), (1, 0, 1, 1), mode=how, kind="2d")
add("value", "F.pad", x(2, 3), (1, 1), value=2.5)
add("dims", "F.pad", x(2, 2), (1, 0, 0, 1), kind="dim")
add("negative", "F.pad", x(5), (-1, -2), kind="kink")
add("mixed", "F.pad", x(4), (1, -1), kind="kink")
add("zero", "F.pad", x(2), (0, 0), kind="same")
add("int", "F.pad", i([1, 2]), (1, 1), value=7)
fails("odd", "F.pad", x(3), (1,))
fails("dims", "F.pad", x(3), (1, 1, 1, 1))
fails("mode", "F.pad", x(3), (1, 1), mode="mirror")
fails("reflect", "F.pad", x(1, 1, 2), (2, 0), mode="reflect")
fails("reflect-rank", "F.pad", x(3), (1, 1), mode="reflect")
fails("too-negative", "F.pad", x(3), (-2, -2))

add("nearest-1d", "F.interpolate", x(1, 1, 3), scale_factor=2, kind="f32")
add("nearest-2d", "F.interpolate", x(1, 1, 2, 2), scale_factor=2, kind="f32")
add("nearest-size", "F.interpolate", x(1, 1, 2, 3), size=(3, 2), kind="f32")
add(
    "nearest-exact",
    "F.interpolate",
    x(1, 1, 4),
    size=3,
    mode="nearest-exact",
    kind="f32",
)
add("linear", "F.interpolate", x(1, 1, 3), size=5, mode="linear", kind="f32")
add(
    "linear-corners",
    "F.interpolate",
    x(1, 1, 3),
    size=5,
    mode="linear",
    align_corners=True,
    kind="f32",
)
add(
    "bilinear", "F.interpolate", x(1, 1, 2, 2), size=(3, 3), mode="bilinear", kind="f32"
)
add("area", "F.interpolate", x(1, 1, 4), size=2, mode="area", kind="f32")
fails("rank", "F.interpolate", x(2, 3), size=2)
fails("neither", "F.interpolate", x(1, 1, 3))
fails("both", "F.interpolate", x(1, 1, 3), size=2, scale_factor=2)
add("f32", "F.pixel_shuffle", x(1, 4, 1, 2), 2)
add("f32", "F.pixel_unshuffle", x(1, 1, 2, 4), 2)
fails("channels", "F.pixel_shuffle", x(1, 3, 1, 2), 2)
add("f32", "F.channel_shuffle", x(1, 4, 2), 2)
add("f32", "F.unfold", x(1, 1, 3, 3), 2)
add("options", "F.unfold", x(1, 1, 2, 4), (2, 2), stride=2, padding=1, kind="stride")
add("f32", "F.fold", x(1, 4, 4), (3, 3), 2)
fails("columns", "F.fold", x(1, 4, 3), (3, 3), 2)

add("f32", "F.cosine_similarity", x(2, 3), y(2, 3))
add("dim", "F.cosine_similarity", x(2, 3), y(2, 3), dim=0)
add("broadcast", "F.cosine_similarity", x(2, 3), y(1, 3))
add("zero", "F.cosine_similarity", v([[0.0, 0.0]]), v([[1.0, 2.0]]), kind="kink")
add("f32", "F.pairwise_distance", x(2, 3), y(2, 3))
add(
    "options",
    "F.pairwise_distance",
    x(2, 3),
    y(2, 3),
    p=1.0,
    keepdim=True,
    kind="keepdim",
)
add("f32", "F.pdist", x(3, 2))
Q, K, V = x(1, 2, 2), y(1, 3, 2), x(1, 3, 2, at=4)
ATTEND = "F.scaled_dot_product_attention"
add("f32", ATTEND, Q, K, V)
add("4d", ATTEND, x(1, 1, 2, 2), y(1, 1, 3, 2), x(1, 1, 3, 2, at=4), kind="f32")
add("causal", ATTEND, x(1, 2, 2), y(1, 2, 2), x(1, 2, 2, at=4), is_causal=True)
add("mask", ATTEND, Q, K, V, attn_mask=b([[1, 1, 0], [1, 0, 1]]))
add("mask-float", ATTEND, Q, K, V, attn_mask=c(2, 3), kind="mask")
add("scale", ATTEND, Q, K, V, scale=0.5)
for name in ("dropout", "dropout1d", "alpha_dropout", "feature_alpha_dropout"):
    shape = (1, 2, 2) if name == "dropout1d" else (2, 3)
    add("eval", f"F.{name}", x(*shape), 0.5, training=False)
    if name == "dropout":
        add("p-0", f"F.{name}", x(2, 3), 0.0, kind="eval")
        add("p-1", f"F.{name}", x(2, 3), 1.0, kind="eval")
fails("p", "F.dropout", x(2), 1.5)
add("nan-row", "F.normalize", v([[nan, 1.0]]), kind="kink")
add(
    "targets",
    "F.grid_sample",
    x(1, 1, 2, 2),
    k([[[[0.0, 0.3], [-0.4, 0.6]]]]),
    align_corners=False,
    kind="f32",
)
for mode, padding, corners in (
    ("bilinear", "border", True),
    ("bilinear", "reflection", False),
    ("nearest", "reflection", True),
    ("bicubic", "zeros", True),
    ("bicubic", "reflection", False),
):
    add(
        f"{mode}-{padding}",
        "F.grid_sample",
        x(1, 1, 3, 4),
        y(1, 2, 2, 2),
        mode=mode,
        padding_mode=padding,
        align_corners=corners,
        kind="option",
    )
