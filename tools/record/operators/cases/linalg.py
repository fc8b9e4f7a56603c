"""Products of matrices and vectors, solvers, norms of matrices, structured matrices."""

from __future__ import annotations

from kit import Family, Json, c, call, dt, gapped, i, k, ref, turned, v, x, y

FAMILY = Family("linalg")
add, fails = FAMILY.add, FAMILY.fails

# Matrix products of every pair of ranks.
SHAPES: list[tuple[tuple[int, ...], tuple[int, ...]]] = [
    ((3,), (3,)),
    ((2, 3), (3,)),
    ((3,), (3, 2)),
    ((2, 3), (3, 4)),
    ((2, 2, 3), (3,)),
    ((3,), (2, 3, 2)),
    ((2, 2, 3), (3, 4)),
    ((2, 3), (2, 3, 2)),
    ((2, 2, 3), (2, 3, 2)),
    ((2, 1, 2, 3), (2, 3, 2)),
    ((1, 3), (3, 1)),
]
for left, right in SHAPES:
    label = f"{'x'.join(map(str, left))}@{'x'.join(map(str, right))}"
    add(f"rank-{label}", "torch.matmul", x(*left), y(*right))
add("f64", "torch.matmul", x(2, 3, dt="float64"), y(3, 2, dt="float64"))
add("const-right", "torch.matmul", x(2, 3), c(3, 2), kind="const")
add("const-left", "torch.matmul", c(2, 3), y(3, 2), kind="const")
add("const-vector", "torch.matmul", x(2, 2, 3), c(3), kind="const")
add("const-batch", "torch.matmul", c(2, 2, 3), y(3, 2), kind="const")
add("turned", "torch.matmul", x(2, 3), turned(y(3, 2)), kind="strided")
add("turned-left", "torch.matmul", turned(x(2, 3)), y(3, 2), kind="strided")
add("transposed", "torch.matmul", x(2, 3), call("Tensor.t", y(4, 3)), kind="strided")
add("itself", "torch.matmul", x(2, 2), ref(0), kind="same")
add("empty-inner", "torch.matmul", x(2, 0), y(0, 3), kind="empty")
add("empty-outer", "torch.matmul", x(0, 3), y(3, 2), kind="empty")
add("int", "torch.matmul", i([[1, 2], [3, 4]]), i([[5, 6], [7, 8]]))
fails("inner", "torch.matmul", x(2, 3), y(2, 3))
fails("vectors", "torch.matmul", x(3), y(2))
fails("matrix-vector", "torch.matmul", x(2, 3), y(2))
fails("batch", "torch.matmul", x(2, 2, 3), y(3, 3, 2))
fails("0d", "torch.matmul", x(), y(3))
fails("dtypes", "torch.matmul", x(2, 3), y(3, 2, dt="float64"))
fails("int-float", "torch.matmul", x(2, 2), i([[1, 2], [3, 4]]))
add("operator", "Tensor.__matmul__", x(2, 3), y(3, 2), kind="dunder")
add("operator", "Tensor.__rmatmul__", x(2, 3), y(3, 2), kind="dunder")
add("number", "Tensor.__matmul__", x(2, 3), 2, kind="dunder")
add("method", "Tensor.matmul", x(2, 3), y(3))
add("f32", "torch.mm", x(2, 3), y(3, 2))
add("f64", "torch.mm", x(2, 3, dt="float64"), y(3, 2, dt="float64"))
add("gapped", "torch.mm", gapped(x(2, 2)), y(2, 2), kind="strided")
add("both-turned", "torch.mm", turned(x(2, 3)), turned(y(3, 2)), kind="strided")
add("const", "torch.mm", x(2, 3), c(3, 2))
fails("inner", "torch.mm", x(2, 3), y(2, 3))
fails("vector", "torch.mm", x(2, 3), y(3))
add("f32", "torch.mv", x(2, 3), y(3))
add("const", "torch.mv", c(2, 3), y(3))
fails("inner", "torch.mv", x(2, 3), y(2))
add("f32", "torch.dot", x(3), y(3))
add("const", "torch.dot", c(3), y(3))
add("int", "torch.dot", i([1, 2]), i([3, 4]))
add("empty", "torch.dot", x(0), y(0))
add("itself", "torch.dot", x(3), ref(0), kind="same")
fails("rank", "torch.dot", x(2, 3), y(3))
fails("length", "torch.dot", x(3), y(2))
fails("dtypes", "torch.dot", x(3), y(3, dt="float64"))
add("f32", "torch.vdot", x(3), y(3))
add("f32", "torch.bmm", x(2, 2, 3), y(2, 3, 2))
add("f64", "torch.bmm", x(2, 1, 3, dt="float64"), y(2, 3, 1, dt="float64"))
add("const", "torch.bmm", x(2, 2, 3), c(2, 3, 2))
fails("inner", "torch.bmm", x(2, 2, 3), y(2, 2, 3))
fails("rank", "torch.bmm", x(2, 3), y(2, 3, 2))
add("vectors", "torch.inner", x(3), y(3), kind="f32")
add("matrices", "torch.inner", x(2, 3), y(4, 3), kind="f32")
add("0d", "torch.inner", x(), y(3))
add("f32", "torch.outer", x(2), y(3))
add("const", "torch.outer", c(2), y(3))
add("f32", "torch.ger", x(2), y(3))
fails("rank", "torch.outer", x(2, 2), y(3))

# input + product.
FUSED: dict[str, tuple[Json, Json, Json]] = {
    "addmm": (x(2, 4, at=5), x(2, 3), y(3, 4)),
    "addmv": (x(2, at=5), x(2, 3), y(3)),
    "addr": (x(2, 3, at=5), x(2), y(3)),
    "baddbmm": (x(2, 2, 2, at=5), x(2, 2, 3), y(2, 3, 2)),
    "addbmm": (x(2, 2, at=5), x(2, 2, 3), y(2, 3, 2)),
}
for name, (first, second, third) in FUSED.items():
    fn = f"torch.{name}"
    add("f32", fn, first, second, third)
    add("scaled", fn, first, second, third, beta=2, alpha=0.5)
    add("broadcast", fn, x(1, at=5), second, third)
    add("const", fn, c(1), second, third)
    fails("shape", fn, x(7), second, third)
add("beta-0", "torch.addmm", v([float("nan")]), x(2, 3), y(3, 2), beta=0, kind="kink")
add("bias", "torch.addmm", x(4), c(2, 3), y(3, 4), kind="const")
fails("inner", "torch.addmm", x(2), x(2, 3), y(2, 2))
fails("dtypes", "torch.addmm", x(2, dt="float64"), x(2, 3), y(3, 2))

add("dim", "torch.cross", x(2, 3), y(2, 3), dim=1)
add("broadcast", "torch.cross", x(1, 3), y(2, 3), dim=-1)
fails("ranks", "torch.cross", x(3), y(2, 3), dim=-1)
add("default", "torch.cross", x(3, 2), y(3, 2), kind="f32")
add("f32", "torch.linalg.cross", x(2, 3), y(2, 3))
fails("size", "torch.cross", x(2), y(2), dim=0)
add("f32", "torch.kron", x(2, 2), y(2, 1))
add("vectors", "torch.kron", x(2), y(3), kind="f32")
for equation, operands in {
    "ij,jk->ik": [x(2, 3), y(3, 2)],
    "ij->ji": [x(2, 3)],
    "ij->i": [x(2, 3)],
    "ij->": [x(2, 3)],
    "ii->i": [x(3, 3)],
    "ii": [x(3, 3)],
    "i,j->ij": [x(2), y(3)],
    "i,i->": [x(3), y(3)],
    "bij,bjk->bik": [x(2, 2, 3), y(2, 3, 2)],
    "...ij,...jk": [x(2, 2, 2), y(2, 2)],
    "bhid,bhjd->bhij": [x(1, 2, 2, 2), y(1, 2, 2, 2)],
    "ij,jk,kl->il": [x(2, 2), y(2, 2), x(2, 2, at=4)],
    "ij,ij->ij": [x(2, 2), y(2, 2)],
    "ij,k->ijk": [x(2, 1), y(2)],
    "b i, b i -> b": [x(2, 2), y(2, 2)],
}.items():
    add(equation.replace(" ", "_"), "torch.einsum", equation, *operands, kind="f32")
fails("dims", "torch.einsum", "ij,jk->ik", x(2, 3), y(2, 3))
fails("letters", "torch.einsum", "ijk->i", x(2, 3))
fails("output", "torch.einsum", "ij->k", x(2, 3))
add("count", "torch.tensordot", x(2, 3), y(3, 2), 1, kind="f32")
add("count-2", "torch.tensordot", x(2, 3), y(2, 3), kind="f32")
add("dims", "torch.tensordot", x(2, 3, 2), y(3, 2), dims=([1, 2], [0, 1]), kind="f32")
add("dims-one", "torch.tensordot", x(2, 3), y(2, 4), dims=([0], [0]), kind="f32")
fails("dims", "torch.tensordot", x(2, 3), y(2, 4), dims=([1], [0]))
add("f32", "torch.chain_matmul", x(2, 3), y(3, 2), x(2, 2))
add("f32", "torch.linalg.multi_dot", [x(2, 3), y(3, 2), x(2, 2, at=3)])
add("two", "torch.linalg.multi_dot", [x(2, 3), y(3, 2)], kind="f32")

# Square matrices. M is well conditioned, S is symmetric positive definite.
M: Json = v([[2.0, 0.5, -1.0], [0.3, 1.5, 0.2], [-0.4, 0.7, 3.0]])
M64: Json = v([[2.0, 0.5], [0.3, 1.5]], "float64")
S: Json = v([[4.0, 1.0, 0.5], [1.0, 3.0, -0.2], [0.5, -0.2, 2.0]])
SINGULAR: Json = v([[1.0, 2.0], [2.0, 4.0]])
for power in (0, 1, 2, 3, 5, -1, -2):
    add(f"{power}", "torch.matrix_power", M, power, kind="f32")
add("2", "torch.linalg.matrix_power", M, 2, kind="f32")
for name in ("inverse", "det", "slogdet", "logdet"):
    add("f32", f"torch.{name}", M)
    add("f64", f"torch.{name}", M64)
    add("batch", f"torch.{name}", x(2, 2, 2))
    fails("shape", f"torch.{name}", x(2, 3))
for name in ("det", "slogdet"):
    add("singular", f"torch.{name}", SINGULAR, kind="kink")
fails("singular", "torch.inverse", SINGULAR)
add("negative", "torch.slogdet", v([[0.0, 1.0], [1.0, 0.0]]), kind="kink")
add("f32", "torch.linalg.inv", M)
add("f32", "torch.linalg.det", M)
add("f32", "torch.linalg.slogdet", M)
fails("singular", "torch.linalg.inv", SINGULAR)
add("vector", "torch.linalg.solve", M, y(3), kind="f32")
add("matrix", "torch.linalg.solve", M, y(3, 2), kind="f32")
add("const", "torch.linalg.solve", M, c(3))
add("left-false", "torch.linalg.solve", M, y(2, 3), left=False, kind="f32")
fails("singular", "torch.linalg.solve", SINGULAR, y(2))
fails("shape", "torch.linalg.solve", M, y(2))
add("f32", "torch.linalg.cholesky", S)
add("upper", "torch.linalg.cholesky", S, upper=True)
fails("indefinite", "torch.linalg.cholesky", SINGULAR)
add("f32", "torch.cholesky", S)
add("lower", "torch.linalg.solve_triangular", M, y(3, 2), upper=False)
add(
    "upper", "torch.linalg.solve_triangular", M, y(3, 2), upper=True, unitriangular=True
)
add("f32", "torch.triangular_solve", y(3, 2), M)
add("f32", "torch.cholesky_solve", y(3, 1), S)
add("f32", "torch.matrix_exp", M64)
add("f32", "torch.linalg.matrix_rank", c(2, 2))
add("f32", "torch.linalg.pinv", M)
add("f32", "torch.linalg.lstsq", c(3, 2), c(3, 1))

# Structure.
for name in ("tril", "triu"):
    fn = f"torch.{name}"
    add("f32", fn, x(3, 3))
    add("wide", fn, x(2, 3), diagonal=1, kind="f32")
    add("below", fn, x(3, 2), -1, kind="f32")
    add("batch", fn, x(2, 2, 2), kind="f32")
    add("int", fn, i([[1, 2], [3, 4]]))
    fails("rank", fn, x(3))
add("vector", "torch.diag", x(3), kind="f32")
add("vector-1", "torch.diag", x(2), 1, kind="f32")
add("matrix", "torch.diag", x(2, 3), kind="f32")
add("matrix-minus-1", "torch.diag", x(3, 3), -1, kind="f32")
fails("rank", "torch.diag", x(2, 2, 2))
add("f32", "torch.diagonal", x(3, 3))
add("offset", "torch.diagonal", x(2, 3), offset=1)
add("dims", "torch.diagonal", x(2, 3, 2), 0, -1, 1, kind="f32")
add("f32", "torch.diag_embed", x(2, 2))
add("offset", "torch.diag_embed", x(2), offset=1)
add("f32", "torch.diagflat", x(2, 2))
add("f32", "torch.block_diag", x(2, 2), y(1, 3))
add("f32", "torch.vander", k([1.0, 2.0, 3.0]))
add("f32", "torch.cartesian_prod", x(2), y(3))
add("f32", "torch.combinations", x(3))
add("f32", "torch.cdist", x(2, 3), y(3, 3))
add("p-1", "torch.cdist", x(2, 3), y(2, 3), p=1.0)
add("p-inf", "torch.cdist", x(2, 3), y(2, 3), p=float("inf"))
add("batch", "torch.cdist", x(2, 2, 2), y(2, 3, 2))
add("same", "torch.cdist", x(2, 3), ref(0), kind="kink")
fails("columns", "torch.cdist", x(2, 3), y(2, 2))
add("f32", "torch.linalg.vecdot", x(2, 3), y(2, 3))
add("f32", "torch.linalg.diagonal", x(2, 2))
add("dtype", "torch.linalg.matrix_norm", x(2, 2), dtype=dt("float64"))
