package autograd

import (
	"math"

	"github.com/gradtui/gradtui/autograd/internal/repr"
)

// Norms of matrices, and norms for both vectors and matrices.
var matrixNormOps = []Op{
	{
		Schema:  "linalg_norm(Tensor self, Scalar? ord=None, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
		In:      Linalg,
		Compose: func(a *Args) ([]*Tensor, error) { return a.linalgNorm() },
	},
	{
		Schema:  "linalg_norm.ord_str(Tensor self, str ord, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
		In:      Linalg,
		Compose: func(a *Args) ([]*Tensor, error) { return a.linalgNorm() },
	},
	{
		Schema: "linalg_matrix_norm(Tensor self, Scalar ord, int[] dim=[-2,-1], bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
		In:     Linalg, Go: "-",
		Compose: func(a *Args) ([]*Tensor, error) { return a.matrixNorm() },
	},
	{
		Schema:  "linalg_matrix_norm.str_ord(Tensor self, str ord='fro', int[] dim=[-2,-1], bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
		In:      Linalg,
		Compose: func(a *Args) ([]*Tensor, error) { return a.matrixNormByName() },
	},
}

// linalgNorm computes a vector norm, or a matrix norm if an order is given and
// there are two dimensions.
func (a *Args) linalgNorm() ([]*Tensor, error) {
	t, dims := a.Self(), a.Ints("dim")
	opts := a.options("keepdim", "dtype")
	if a.Has("dim") {
		if len(dims) != 1 && len(dims) != 2 {
			return nil, fail(RuntimeError, CodeArgument, "linalg.norm: If dim is specified, it must be of length 1 or 2. Got %s", repr.List(dims))
		}
	} else if a.Has("ord") && len(t.sizes) != 1 && len(t.sizes) != 2 {
		return nil, fail(RuntimeError, CodeArgument, "linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got %dD.", len(t.sizes))
	}
	if !a.Has("ord") {
		return a.One(t.LinalgVectorNorm(append(opts, append(a.options("dim"), Kw("ord", 2.0))...)...))
	}
	matrix := len(dims) == 2 || !a.Has("dim") && len(t.sizes) == 2
	_, byName := a.value("ord").x.(string)
	if !matrix && !byName {
		return a.One(t.LinalgVectorNorm(append(opts, a.options("ord", "dim")...)...))
	}
	if !a.Has("dim") {
		dims = []int{0, 1}
	}
	return a.One(t.LinalgMatrixNorm(append(opts, append(a.options("ord"), Kw("dim", dims))...)...))
}

func noMatrixNorm(ord string) *Error {
	return fail(RuntimeError, CodeArgument, "linalg.matrix_norm: Order %s not supported.", ord)
}

// matrixDims checks the arguments of a matrix norm and returns its two
// dimensions.
func (a *Args) matrixDims() (rows, columns int, err *Error) {
	const name = "linalg.matrix_norm"
	t, dims := a.Self(), a.Ints("dim")
	if len(t.sizes) < 2 {
		return 0, 0, fail(RuntimeError, CodeShape, "%s: The input tensor A must have at least 2 dimensions.", name)
	}
	if err := checkFloating(name, t); err != nil {
		return 0, 0, err
	}
	if len(dims) != 2 {
		return 0, 0, fail(RuntimeError, CodeArgument, "%s: dim must be a 2-tuple. Got %s", name, repr.List(dims))
	}
	if rows, err = wrapDim(dims[0], len(t.sizes)); err != nil {
		return 0, 0, err
	}
	if columns, err = wrapDim(dims[1], len(t.sizes)); err != nil {
		return 0, 0, err
	}
	if rows == columns {
		return 0, 0, fail(RuntimeError, CodeArgument, "%s: dims must be different. Got (%d, %d)", name, rows, columns)
	}
	if a.Has("dtype") {
		err = checkNormType(name, t, a.DType("dtype", t.dtype))
	}
	return rows, columns, err
}

func (a *Args) matrixNorm() ([]*Tensor, error) {
	ord, keep := a.Float("ord"), a.Bool("keepdim")
	size := math.Abs(ord)
	if size != 1 && size != 2 && !math.IsInf(ord, 0) {
		return nil, noMatrixNorm(streamed(FloatScalar(ord)))
	}
	rows, columns, err := a.matrixDims()
	if err != nil {
		return nil, err
	}
	extreme := (*Tensor).Amax
	if ord < 0 {
		extreme = (*Tensor).Amin
	}
	if size == 2 {
		values, err := a.singularValues(rows, columns)
		if err != nil {
			return nil, err
		}
		return a.One(extreme(values, Dim(-1), Kw("keepdim", keep)))
	}
	if math.IsInf(ord, 0) {
		rows, columns = columns, rows
	}
	if !keep && rows < columns {
		columns--
	}
	sums := a.Self().LinalgVectorNorm(append(a.options("keepdim", "dtype"), Kw("ord", 1.0), Kw("dim", []int{rows}))...)
	return a.One(extreme(sums, Dim(columns), Kw("keepdim", keep)))
}

func (a *Args) matrixNormByName() ([]*Tensor, error) {
	ord := a.Str("ord")
	if ord != "fro" && ord != "nuc" {
		return nil, noMatrixNorm(ord)
	}
	rows, columns, err := a.matrixDims()
	if err != nil {
		return nil, err
	}
	if ord == "fro" {
		return a.One(a.Self().LinalgVectorNorm(append(a.options("keepdim", "dtype"), Kw("ord", 2), Kw("dim", []int{rows, columns}))...))
	}
	values, e := a.singularValues(rows, columns)
	if e != nil {
		return nil, e
	}
	return a.One(values.Sum(Dim(-1), Kw("keepdim", a.Bool("keepdim"))))
}

// singularValues returns the singular values of the matrices in two dimensions
// of self.
func (a *Args) singularValues(rows, columns int) (*Tensor, error) {
	t := a.Self()
	t = t.To(a.DType("dtype", t.dtype)).Permute(append(otherDims(len(t.sizes), rows, columns), rows, columns))
	values, err := Call("linalg_svdvals", []any{t})
	if err != nil {
		return nil, err
	}
	return values[0], nil
}
