"""Writing by index, out of place: scatter and its reductions."""

from __future__ import annotations

from kit import Family, Json, c, i, k, nonleaf, turned, v, x, y

FAMILY = Family("scatter")
add, fails = FAMILY.add, FAMILY.fails

INDEX: Json = i([[0, 1, 1], [1, 0, 0]])
UNIQUE: Json = i([[1, 0, 0], [0, 1, 1]])

add("f32", "torch.scatter", x(2, 3), 0, UNIQUE, y(2, 3))
add("dim-1", "torch.scatter", x(2, 3), 1, i([[2, 0], [1, 2]]), y(2, 2), kind="dim")
add("dim-minus", "torch.scatter", x(2, 3), -1, i([[2], [1]]), y(2, 1), kind="dim")
add("larger-source", "torch.scatter", x(2, 3), 1, i([[2], [1]]), y(2, 3))
add("number", "torch.scatter", x(2, 3), 1, i([[2], [1]]), 7.0)
add("number-int", "torch.scatter", i([[1, 2]]), 1, i([[0]]), 7, kind="number")
add("vector", "torch.scatter", x(4), 0, i([3, 1]), y(2), kind="f32")
add("const", "torch.scatter", c(3), 0, i([1]), y(1))
add("f64", "torch.scatter", x(3, dt="float64"), 0, i([1]), y(1, dt="float64"))
add("empty", "torch.scatter", x(3), 0, i([]), y(0))
add(
    "reduce-add",
    "torch.scatter",
    x(2, 3),
    0,
    INDEX,
    y(2, 3),
    reduce="add",
    kind="no-derivative",
)
add(
    "reduce-multiply",
    "torch.scatter",
    c(3),
    0,
    i([0, 0]),
    c(2),
    reduce="multiply",
    kind="const",
)
add("strided", "torch.scatter", turned(x(2, 3)), 1, i([[2], [1]]), y(2, 1))
fails("range", "torch.scatter", x(3), 0, i([3]), y(1))
fails("rank", "torch.scatter", x(2, 3), 0, i([0]), y(1))
fails("dtype", "torch.scatter", x(3), 0, i([0]), y(1, dt="float64"))
fails("index-dtype", "torch.scatter", x(3), 0, k([0.0]), y(1))
fails("source", "torch.scatter", x(3), 0, i([0, 1]), y(1))
add("f32", "torch.scatter_add", x(2, 3), 0, INDEX, y(2, 3))
add("dim-1", "torch.scatter_add", x(2, 3), 1, i([[2, 2], [0, 1]]), y(2, 2), kind="dim")
add("larger-source", "torch.scatter_add", x(2, 3), 1, i([[2], [1]]), y(2, 3))
add("vector", "torch.scatter_add", x(2), 0, i([0, 0, 1]), y(3), kind="f32")
add("const", "torch.scatter_add", c(2), 0, i([0, 0]), y(2))
add("f64", "torch.scatter_add", x(2, dt="float64"), 0, i([1, 1]), y(2, dt="float64"))
add("nonleaf", "torch.scatter_add", nonleaf(x(2)), 0, i([1]), nonleaf(y(1)))
fails("range", "torch.scatter_add", x(2), 0, i([2]), y(1))
fails("missing", "torch.scatter_add", x(2), 0, i([1]))
for how in ("sum", "prod", "mean", "amax", "amin"):
    add(how, "torch.scatter_reduce", x(2, 3), 0, INDEX, y(2, 3), reduce=how, kind="f32")
    add(
        f"{how}-exclude",
        "torch.scatter_reduce",
        x(3),
        0,
        i([0, 0, 2, 0]),
        y(4),
        reduce=how,
        include_self=False,
        kind="exclude",
    )
    add(
        f"{how}-ties",
        "torch.scatter_reduce",
        v([1.0, 2.0]),
        0,
        i([0, 0, 1]),
        v([1.0, 1.0, 0.0]),
        reduce=how,
        kind="kink",
    )
    add(
        f"{how}-const",
        "torch.scatter_reduce",
        c(2),
        0,
        i([0, 0]),
        c(2),
        reduce=how,
        kind="const",
    )
fails("how", "torch.scatter_reduce", x(2), 0, i([0]), y(1), reduce="median")
for how in ("prod", "mean", "amax", "amin"):
    add(how, "torch.index_reduce", x(2, 3), 0, i([1, 1]), y(2, 3), how, kind="f32")
add("f32", "Tensor.put", x(2, 2), i([3, 0]), y(2))
add("accumulate", "Tensor.put", x(3), i([0, 0]), y(2), True)
