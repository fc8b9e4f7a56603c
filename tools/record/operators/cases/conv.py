"""Convolutions, pooling, normalisation."""

from __future__ import annotations

from kit import Family, c, k, nonleaf, v, x, y

FAMILY = Family("conv")
add, fails = FAMILY.add, FAMILY.fails

add("f32", "F.conv1d", x(1, 1, 5), y(1, 1, 3))
add("bias", "F.conv1d", x(1, 2, 4), y(2, 2, 2), x(2, at=5), kind="f32")
add("f64", "F.conv1d", x(1, 1, 4, dt="float64"), y(1, 1, 2, dt="float64"))
add("stride", "F.conv1d", x(1, 1, 6), y(1, 1, 2), stride=2)
add("padding", "F.conv1d", x(1, 1, 3), y(1, 1, 3), padding=1)
add("dilation", "F.conv1d", x(1, 1, 5), y(1, 1, 2), dilation=2)
add("groups", "F.conv1d", x(1, 2, 3), y(2, 1, 2), groups=2)
add("same", "F.conv1d", x(1, 1, 4), y(1, 1, 3), padding="same", kind="padding")
add("same-even", "F.conv1d", x(1, 1, 4), y(1, 1, 2), padding="same", kind="padding")
add("valid", "F.conv1d", x(1, 1, 4), y(1, 1, 2), padding="valid", kind="padding")
add("const-input", "F.conv1d", c(1, 1, 4), y(1, 1, 2), y(1, at=4), kind="const")
add("const-weight", "F.conv1d", x(1, 1, 4), c(1, 1, 2), kind="const")
add("unbatched", "F.conv1d", x(1, 4), y(1, 1, 2))
fails("channels", "F.conv1d", x(1, 2, 4), y(1, 1, 2))
fails("kernel", "F.conv1d", x(1, 1, 2), y(1, 1, 3))
fails("rank", "F.conv1d", x(4), y(1, 1, 2))
fails("bias", "F.conv1d", x(1, 1, 4), y(2, 1, 2), c(3))
fails("dtypes", "F.conv1d", x(1, 1, 4), y(1, 1, 2, dt="float64"))
fails("padding", "F.conv1d", x(1, 1, 4), y(1, 1, 2), padding="full")
fails("same-stride", "F.conv1d", x(1, 1, 4), y(1, 1, 2), padding="same", stride=2)
add("f32", "F.conv2d", x(1, 1, 3, 3), y(1, 1, 2, 2))
add("bias", "F.conv2d", x(1, 2, 3, 3), y(2, 2, 2, 2), x(2, at=5), kind="f32")
add(
    "options",
    "F.conv2d",
    x(1, 2, 4, 3),
    y(2, 1, 2, 2),
    stride=(2, 1),
    padding=(1, 0),
    groups=2,
    kind="stride",
)
add("dilation", "F.conv2d", x(1, 1, 4, 4), y(1, 1, 2, 2), dilation=2)
add("f64", "F.conv2d", x(1, 1, 3, 3, dt="float64"), y(1, 1, 2, 2, dt="float64"))
add("unbatched", "F.conv2d", x(1, 3, 3), y(1, 1, 2, 2))
fails("channels", "F.conv2d", x(1, 3, 3, 3), y(1, 2, 2, 2))
fails("kernel", "F.conv2d", x(1, 1, 2, 2), y(1, 1, 3, 3))
fails("groups", "F.conv2d", x(1, 3, 3, 3), y(2, 1, 2, 2), groups=2)
add("f32", "F.conv3d", x(1, 1, 2, 2, 2), y(1, 1, 1, 2, 2))
add("f32", "F.conv_transpose1d", x(1, 2, 3), y(2, 1, 2))
add(
    "options",
    "F.conv_transpose1d",
    x(1, 1, 3),
    y(1, 1, 3),
    y(1, at=5),
    stride=2,
    padding=1,
    output_padding=1,
    kind="stride",
)
add("f32", "F.conv_transpose2d", x(1, 1, 2, 2), y(1, 1, 2, 2))
add(
    "options",
    "F.conv_transpose2d",
    x(1, 2, 2, 2),
    y(2, 1, 2, 2),
    stride=2,
    groups=2,
    kind="stride",
)
add("f32", "F.conv_transpose3d", x(1, 1, 1, 2, 2), y(1, 1, 1, 2, 2))

add("f32", "F.max_pool1d", x(1, 1, 6), 2)
add("options", "F.max_pool1d", x(1, 1, 5), 3, stride=1, padding=1, kind="stride")
add("indices", "F.max_pool1d", x(1, 1, 4), 2, return_indices=True)
add("ceil", "F.max_pool1d", x(1, 1, 5), 2, ceil_mode=True)
add("dilation", "F.max_pool1d", x(1, 1, 5), 2, dilation=2, stride=1)
add("ties", "F.max_pool1d", v([[[1.0, 1.0, 0.0, 0.0]]]), 2, kind="kink")
add("unbatched", "F.max_pool1d", x(1, 4), 2)
add("f32", "F.max_pool2d", x(1, 1, 4, 3), 2)
add(
    "options",
    "F.max_pool2d",
    x(1, 1, 3, 3),
    (2, 2),
    stride=(1, 2),
    padding=1,
    kind="stride",
)
add("indices", "F.max_pool2d", x(1, 1, 2, 4), 2, return_indices=True)
add("f64", "F.max_pool2d", x(1, 1, 2, 2, dt="float64"), 2)
add("nan", "F.max_pool2d", v([[[[1.0, float("nan")], [3.0, 2.0]]]]), 2, kind="kink")
add("f32", "F.max_pool3d", x(1, 1, 2, 2, 2), 2)
fails("kernel", "F.max_pool2d", x(1, 1, 2, 2), 3)
fails("padding", "F.max_pool2d", x(1, 1, 4, 4), 2, padding=2)
fails("stride", "F.max_pool2d", x(1, 1, 4, 4), 2, stride=0)
add("f32", "F.avg_pool1d", x(1, 1, 6), 2)
add(
    "options",
    "F.avg_pool1d",
    x(1, 1, 5),
    3,
    stride=2,
    padding=1,
    count_include_pad=False,
    kind="stride",
)
add("f32", "F.avg_pool2d", x(1, 1, 4, 3), 2)
add("options", "F.avg_pool2d", x(1, 1, 3, 3), 2, stride=1, padding=1, kind="stride")
add("divisor", "F.avg_pool2d", x(1, 1, 2, 4), 2, divisor_override=3)
add("ceil", "F.avg_pool2d", x(1, 1, 3, 3), 2, ceil_mode=True)
add("f64", "F.avg_pool2d", x(1, 1, 2, 2, dt="float64"), 2)
add("f32", "F.avg_pool3d", x(1, 1, 2, 2, 2), 2)
add("f32", "F.adaptive_avg_pool1d", x(1, 1, 5), 2)
add("f32", "F.adaptive_avg_pool2d", x(1, 1, 3, 3), 2)
add("one", "F.adaptive_avg_pool2d", x(1, 2, 2, 2), 1, kind="f32")
add("none", "F.adaptive_avg_pool2d", x(1, 1, 2, 3), (None, 1), kind="f32")
add("f32", "F.adaptive_max_pool1d", x(1, 1, 5), 2)
add("f32", "F.adaptive_max_pool2d", x(1, 1, 3, 3), 2)
add("indices", "F.adaptive_max_pool2d", x(1, 1, 2, 2), 1, return_indices=True)
add("f32", "F.lp_pool1d", x(1, 1, 4, dom="pos"), 2, 2)
add("f32", "F.lp_pool2d", x(1, 1, 2, 2, dom="pos"), 2, 2)
add("f32", "F.max_unpool1d", x(1, 1, 2), k([[[1, 2]]], "int64"), 2)

MEAN, VAR = c(3, dom="unit"), c(3, dom="pos")
add("plain", "F.batch_norm", x(4, 3), None, None, training=True, kind="f32")
add("affine", "F.batch_norm", x(4, 3), None, None, y(3), x(3, at=3), True, kind="f32")
add(
    "running",
    "F.batch_norm",
    x(4, 3),
    MEAN,
    VAR,
    y(3),
    x(3, at=3),
    True,
    0.3,
    kind="train",
)
add("eval", "F.batch_norm", x(2, 3), MEAN, VAR, y(3), x(3, at=3), kind="eval")
add("eval-plain", "F.batch_norm", x(2, 3), MEAN, VAR, kind="eval")
add("f64", "F.batch_norm", x(3, 2, dt="float64"), None, None, training=True)
add("2d", "F.batch_norm", x(2, 2, 1, 2), None, None, y(2), x(2, at=3), True, kind="2d")
add("sequence", "F.batch_norm", x(2, 2, 2), None, None, training=True, kind="2d")
add("eps", "F.batch_norm", x(3, 2), None, None, training=True, eps=0.1)
fails("one-value", "F.batch_norm", x(1, 3), None, None, training=True)
fails("running", "F.batch_norm", x(2, 3), c(2), c(2))
fails("none", "F.batch_norm", x(2, 3), None, None)
add("plain", "F.layer_norm", x(2, 3), (3,), kind="f32")
add("affine", "F.layer_norm", x(2, 3), (3,), y(3), x(3, at=3), kind="f32")
add("weight", "F.layer_norm", x(2, 3), (3,), y(3), kind="f32")
add("dims", "F.layer_norm", x(2, 2, 2), (2, 2), y(2, 2), x(2, 2, at=3), kind="dim")
add("eps", "F.layer_norm", x(2, 3), [3], eps=0.1)
add(
    "f64",
    "F.layer_norm",
    x(2, 3, dt="float64"),
    (3,),
    y(3, dt="float64"),
    x(3, at=3, dt="float64"),
)
add("const-input", "F.layer_norm", c(2, 3), (3,), y(3), x(3, at=3), kind="const")
add("equal", "F.layer_norm", v([[1.5, 1.5, 1.5]]), (3,), kind="kink")
add("nonleaf", "F.layer_norm", nonleaf(x(2, 3)), (3,))
fails("shape", "F.layer_norm", x(2, 3), (2,))
fails("weight", "F.layer_norm", x(2, 3), (3,), c(2))
add("plain", "F.group_norm", x(2, 4), 2, kind="f32")
add("affine", "F.group_norm", x(1, 4, 2), 2, y(4), x(4, at=3), kind="f32")
fails("groups", "F.group_norm", x(2, 3), 2)
add("plain", "F.instance_norm", x(2, 2, 3), kind="f32")
add("affine", "F.instance_norm", x(1, 2, 3), None, None, y(2), x(2, at=3), kind="f32")
add("running", "F.instance_norm", x(2, 3, 2), MEAN, VAR, kind="train")
add("eval", "F.instance_norm", x(1, 3, 2), MEAN, VAR, use_input_stats=False)
add("f32", "F.local_response_norm", x(1, 3, 2), 2)
add("plain", "F.rms_norm", x(2, 3), (3,), kind="f32")
add("weight", "F.rms_norm", x(2, 3), (3,), y(3), eps=1e-5, kind="f32")
