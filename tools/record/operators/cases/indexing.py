"""Reading by index: brackets, gather and its relatives, where, masks."""

from __future__ import annotations

from kit import (
    Family,
    Json,
    b,
    c,
    call,
    gapped,
    i,
    inf,
    k,
    nan,
    nonleaf,
    turned,
    v,
    x,
    y,
)

FAMILY = Family("indexing")
add, fails = FAMILY.add, FAMILY.fails
GET = "Tensor.__getitem__"

S = slice
ITEMS: dict[str, Json] = {
    "0": 0,
    "minus-1": -1,
    "0,1": (0, 1),
    ":,1": (S(None), 1),
    "1,:": (1, S(None)),
    "0:1": S(0, 1),
    ":": S(None),
    "0:2": S(0, 2),
    "::2": S(None, None, 2),
    "1:": S(1, None),
    ":-1": S(None, -1),
    "-2:": S(-2, None),
    "5:9": S(5, 9),
    "1:0": S(1, 0),
    "0:99": S(0, 99),
    ":,::2": (S(None), S(None, None, 2)),
    ":,1:": (S(None), S(1, None)),
    "0:2,1": (S(0, 2), 1),
    ":,:": (S(None), S(None)),
    "None": None,
    ":,None": (S(None), None),
    "None,0": (None, 0),
    "...": Ellipsis,
    "...,-1": (Ellipsis, -1),
    "0,...": (0, Ellipsis),
    "...,None": (Ellipsis, None),
    "()": (),
    "True": True,
    "False": False,
    "[0,1]": [0, 1],
    "[1]": [1],
    "[-1,0,0]": [-1, 0, 0],
    "[]": [],
    "[0],[1]": ([0], [1]),
    "0,[1,2]": (0, [1, 2]),
    ":,[0,2]": (S(None), [0, 2]),
    "[0,1],:": ([0, 1], S(None)),
    "[1,0],1:": ([1, 0], S(1, None)),
    "[True,False]": [True, False],
    "[[0,1],[1,0]]": [[0, 1], [1, 0]],
    "tensor": i([1, 0, 1]),
    "tensor-negative": i([-1, -2]),
    "tensor-0d": i(1),
    "tensor-2d": i([[0, 1], [1, 0]]),
    "tensors": (i([0, 1]), i([2, 0])),
    "tensors-broadcast": (i([[0], [1]]), i([0, 2])),
    "tensor-empty": i([]),
    ":,tensor": (S(None), i([2, 0])),
    "tensor,None": (i([0, 1]), None),
    "mask": b([[1, 0, 1], [0, 1, 0]]),
    "mask-row": b([0, 1]),
    ":,mask": (S(None), b([1, 0, 1])),
    "mask-none": b([[0, 0, 0], [0, 0, 0]]),
    "mask-0d": b(1),
}
for name, item in ITEMS.items():
    add(name, GET, x(2, 3), item, kind="item")
add("tensor", GET, x(3), i([0, 2]), kind="vector")
add("same-twice", GET, x(3), i([0, 0, 2]), kind="vector")
add("middle", GET, x(2, 3, 2), (S(None), i([2, 0])), kind="3d")
add("apart", GET, x(2, 3, 2), (i([1, 0]), S(None), i([0, 1])), kind="3d")
add("ellipsis-middle", GET, x(2, 3, 2), (0, Ellipsis, 1), kind="3d")
add("mask-2d", GET, x(2, 2, 2), b([[1, 0], [0, 1]]), kind="3d")
add("strided", GET, turned(x(2, 3)), (1, S(1, None)))
add("strided-tensor", GET, turned(x(2, 3)), i([1, 0]), kind="strided")
add("view-of-view", GET, call(GET, x(2, 3), 1), 2, kind="view")
add("nonleaf", GET, nonleaf(x(2, 3)), 0)
add("0d-all", GET, x(), Ellipsis, kind="0d")
add("0d-none", GET, x(), None, kind="0d")
add("0d-tuple", GET, x(), (), kind="0d")
add("0d-mask", GET, x(), b(0), kind="0d")
add("int", GET, i([[1, 2], [3, 4]]), (1, 0))
add("f64", GET, x(2, 2, dt="float64"), i([1, 0]))
fails("range", GET, x(2, 3), 2)
fails("range-low", GET, x(2, 3), -3)
fails("range-second", GET, x(2, 3), (0, 3))
fails("too-many", GET, x(2, 3), (0, 0, 0))
fails("0d", GET, x(), 0)
fails("step", GET, x(3), S(None, None, -1))
fails("step-zero", GET, x(3), S(None, None, 0))
fails("float", GET, x(3), 1.0)
fails("string", GET, x(3), "a")
fails("slice-float", GET, x(3), S(0.5, None))
fails("tensor-range", GET, x(3), i([0, 3]))
fails("tensor-float", GET, x(3), k([0.0, 1.0]))
fails("mask-shape", GET, x(2, 3), b([1, 0, 1]))
fails("mask-columns", GET, x(2, 3), b([[1, 0], [0, 1]]))
fails("tensors-shape", GET, x(2, 3), (i([0, 1]), i([0, 1, 2])))
add("two-ellipses", GET, x(2, 3), (Ellipsis, 0, Ellipsis))

ROWS: Json = i([1, 0, 1])
for dim in (0, 1, -1):
    add(f"dim-{dim}", "torch.index_select", x(2, 3), dim, ROWS, kind="dim")
add("vector", "torch.index_select", x(3), 0, i([2, 2]), kind="f32")
add("0d", "torch.index_select", x(), 0, i([0]))
add("empty", "torch.index_select", x(2, 3), 0, i([]))
add("f64", "torch.index_select", x(2, 2, dt="float64"), 1, i([1]))
fails("range", "torch.index_select", x(2, 3), 0, i([2]))
fails("dtype", "torch.index_select", x(2, 3), 0, k([0.0]))
fails("rank", "torch.index_select", x(2, 3), 0, i([[0]]))
fails("dim", "torch.index_select", x(2, 3), 2, i([0]))
add("dim-1", "torch.gather", x(2, 3), 1, i([[0, 0], [2, 1]]), kind="f32")
add("dim-0", "torch.gather", x(2, 3), 0, i([[1, 0, 1]]), kind="dim")
add("dim-minus", "torch.gather", x(2, 3), -1, i([[1], [0]]), kind="dim")
add("vector", "torch.gather", x(3), 0, i([2, 0, 2, 1]), kind="f32")
add("f64", "torch.gather", x(2, 2, dt="float64"), 1, i([[1], [0]]))
add("method", "Tensor.gather", x(2, 3), 1, i([[0], [2]]))
fails("range", "torch.gather", x(2, 3), 1, i([[3], [0]]))
fails("rank", "torch.gather", x(2, 3), 1, i([0]))
fails("larger", "torch.gather", x(2, 3), 1, i([[0], [1], [2]]))
fails("dtype", "torch.gather", x(2, 3), 1, k([[0.0]]))
add("f32", "torch.take", x(2, 3), i([5, 0, 0]))
add("2d", "torch.take", x(2, 3), i([[1], [-1]]), kind="f32")
fails("range", "torch.take", x(2, 3), i([6]))
add("f32", "torch.take_along_dim", x(2, 3), i([[1], [0]]), 1)
add("flat", "torch.take_along_dim", x(2, 3), i([5, 0]), kind="f32")
MASK: Json = b([[1, 0, 1], [0, 1, 0]])
add("f32", "torch.masked_select", x(2, 3), MASK)
add("broadcast", "torch.masked_select", x(2, 3), b([1, 0, 1]))
add("none", "torch.masked_select", x(3), b([0, 0, 0]), kind="empty")
fails("dtype", "torch.masked_select", x(3), i([1, 0, 1]))
fails("shape", "torch.masked_select", x(2, 3), b([1, 0]))
add("number", "torch.masked_fill", x(2, 3), MASK, 9.0, kind="f32")
add("minus-inf", "torch.masked_fill", x(2, 3), MASK, -inf, kind="kink")
add("tensor", "torch.masked_fill", x(2, 3), MASK, y(), kind="f32")
add("broadcast", "torch.masked_fill", x(2, 3), b([[1], [0]]), 0)
add("grow", "torch.masked_fill", x(3), MASK, 0.0, kind="broadcast")
add("int", "torch.masked_fill", i([1, 2]), b([1, 0]), 5)
fails("dtype", "torch.masked_fill", x(3), i([1, 0, 1]), 0.0)
fails("value", "torch.masked_fill", x(3), b([1, 0, 1]), c(1))
add("int-float", "torch.masked_fill", i([1, 2]), b([1, 0]), 1.5, kind="promote")
add("f32", "torch.masked_scatter", x(2, 3), MASK, y(3))
fails("short", "torch.masked_scatter", x(2, 3), MASK, y(2))
add("f32", "torch.where", MASK, x(2, 3), y(2, 3))
add("const", "torch.where", MASK, x(2, 3), c(2, 3))
add("broadcast", "torch.where", b([[1], [0]]), x(3), y(2, 1))
add("number", "torch.where", MASK, x(2, 3), 0.0)
add("number-int", "torch.where", MASK, x(2, 3), 0, kind="number")
add("number-left", "torch.where", MASK, 1.0, y(2, 3), kind="number")
add("numbers", "torch.where", b([1, 0]), 1.0, 0.0, kind="number")
add("numbers-mixed", "torch.where", b([1, 0]), 1, 0.5, kind="promote")
add("mixed", "torch.where", b([1, 0]), x(2), y(2, dt="float64"), kind="promote")
add("int-float", "torch.where", b([1, 0]), i([1, 2]), y(2), kind="promote")
add("nan", "torch.where", b([1, 0]), v([1.0, nan]), y(2), kind="kink")
add("one", "torch.where", b([[1, 0], [0, 1]]), kind="bool")
add("method", "Tensor.where", x(3), b([1, 0, 1]), y(3))
add("condition-0d", "torch.where", b(1), x(2), y(2), kind="0d")
fails("condition-float", "torch.where", k([1.0, 0.0]), x(2), y(2))
fails("shapes", "torch.where", b([1, 0]), x(3), y(3))
add("f32", "torch.nonzero", k([[0.0, 1.0], [2.0, 0.0]]))
add("tuple", "torch.nonzero", k([[0.0, 1.0], [2.0, 0.0]]), as_tuple=True, kind="f32")
add("0d", "torch.nonzero", k(3.0))
add("grad", "torch.nonzero", x(2), kind="f32")
add("f32", "torch.argwhere", k([[0.0, 1.0], [2.0, nan]]))
for name, args in {
    "index_fill": (0, i([1]), 9.0),
    "index_add": (0, i([1, 1]), y(2, 3)),
    "index_copy": (0, i([1]), y(1, 3)),
    "index_put": ((i([1]),), y(3)),
    "select_scatter": (y(3), 0, 1),
    "slice_scatter": (y(1, 3), 0, 1, 2, 1),
    "diagonal_scatter": (y(2),),
}.items():
    add("f32", f"torch.{name}", x(2, 3), *args)
add("tensor", "torch.index_fill", x(2, 3), 1, i([0, 2]), y())
add("alpha", "torch.index_add", x(2, 3), 1, i([0, 2]), y(2, 2), alpha=2)
add("vector", "torch.index_add", x(3), 0, i([0, 0, 2]), y(3), kind="f32")
add("f64", "torch.index_add", x(2, dt="float64"), 0, i([1]), y(1, dt="float64"))
fails("sizes", "torch.index_add", x(2, 3), 0, i([0, 1, 1]), y(2, 3))
fails("range", "torch.index_add", x(2, 3), 0, i([2, 0]), y(2, 3))
fails("dtype", "torch.index_add", x(2, 3), 0, i([0, 1]), y(2, 3, dt="float64"))
add("dim-1", "torch.index_copy", x(2, 3), 1, i([2, 0]), y(2, 2), kind="dim")
add("accumulate", "torch.index_put", x(3), (i([0, 0, 2]),), y(3), accumulate=True)
add("broadcast", "torch.index_put", x(2, 3), (i([0, 1]), i([1, 2])), y())
add("mask", "torch.index_put", x(2, 3), (MASK,), y(3))
fails("shape", "torch.index_put", x(3), (i([0, 1]),), y(3))
fails("dtype", "torch.index_put", x(3), (i([0, 1]),), c(2, dt="float64"))
add("gapped", "torch.index_select", gapped(x(2, 2)), 0, i([1]), kind="strided")
