package autograd

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Functions of square matrices: inverses, powers, the exponential.

var inverseOps = []Op{
	{
		Schema: "linalg_inv_ex(Tensor A, *, bool check_errors=False) -> (Tensor inverse, Tensor info)", In: Linalg,
		Node: "LinalgInvExBackward0", JVP: inverseTangent,
		Forward: func(a *Args) ([]*Tensor, error) {
			x := a.Tensor("A")
			if err := checkSquareFloats(x, "linalg.inv", ""); err != nil {
				return nil, err
			}
			inverse, info := inverted(x)
			if a.Bool("check_errors") {
				if err := checkLAPACK(info, "linalg.inv_ex", len(x.sizes) == 2, singularMatrix); err != nil {
					return nil, err
				}
			}
			return []*Tensor{inverse, infoTensor(info, x.sizes[:len(x.sizes)-2])}, nil
		},
		VJP: []Formula{{Input: "A", Uses: "inverse", Of: func(c *Ctx) *Tensor {
			if c.Grad() == nil {
				return nil
			}
			inverse := c.Saved("inverse")
			return inverse.MH().Matmul(c.Grad().Matmul(inverse.MH())).Neg()
		}}},
	},
	{
		Schema: "linalg_inv(Tensor A) -> Tensor", In: Linalg,
		Compose: func(a *Args) ([]*Tensor, error) { return inverse(a.Tensor("A")) },
	},
	{
		Schema:   "inverse(Tensor self) -> Tensor",
		OutDType: expectedOutDType,
		Compose:  func(a *Args) ([]*Tensor, error) { return inverse(a.Self()) },
	},
	{
		Schema: "linalg_matrix_power(Tensor self, int n) -> Tensor", In: Linalg,
		Compose: func(a *Args) ([]*Tensor, error) { return matrixPower(a.Self(), a.Int("n")) },
	},
	{
		Schema:  "matrix_power(Tensor self, int n) -> Tensor",
		Compose: func(a *Args) ([]*Tensor, error) { return matrixPower(a.Self(), a.Int("n")) },
	},
	{
		Schema: "linalg_matrix_exp(Tensor self) -> Tensor", In: Linalg,
		Node: "LinalgMatrixExpBackward0",
		JVP: func(c *JCtx) ([]*Tensor, error) {
			return single(matrixExpDifferential(c.Primal("self"), c.Tangent("self")))
		},
		Forward: func(a *Args) ([]*Tensor, error) {
			x := a.Self()
			if err := checkSquare(x, "linalg.matrix_exp"); err != nil {
				return nil, err
			}
			if err := checkFloating("linalg.matrix_exp", x); err != nil {
				return nil, err
			}
			return a.One(matrixExp(x))
		},
		VJP: []Formula{{Input: "self", Uses: "self", Of: func(c *Ctx) *Tensor {
			return matrixExpDifferential(c.Saved("self").Transpose(-2, -1), c.Grad())
		}}},
	},
	{
		Schema:  "matrix_exp(Tensor self) -> Tensor",
		Compose: func(a *Args) ([]*Tensor, error) { return single(a.Self().LinalgMatrixExp()) },
	},
}

// inverted computes the inverses of matrices. The result for a singular matrix
// is meaningless.
func inverted(x *Tensor) (*Tensor, []int) {
	f, transposed := luFactor(x)
	ones := newMatrixBatch(len(f.determined), x.sizes[len(x.sizes)-1], x.sizes[len(x.sizes)-1])
	ones.fillIdentity()
	identity := ones.tensor(x.dtype, x.sizes, contiguousStrides(x.sizes))
	return luSolve(f.lu, f.pivots, identity, true, transposed), f.info()
}

// inverse is linalg.inv.
func inverse(x *Tensor) ([]*Tensor, error) {
	outs, err := fnLinalgInvEx.list(nil, x)
	if err != nil {
		return nil, err
	}
	if err := checkLAPACK(infoOf(outs[1]), "linalg.inv", len(x.sizes) == 2, singularMatrix); err != nil {
		return nil, err
	}
	return outs[:1], nil
}

func inverseTangent(c *JCtx) ([]*Tensor, error) {
	return []*Tensor{c.Out(0).Matmul(c.Tangent("A")).Matmul(c.Out(0)).Neg(), nil}, nil
}

// matrixPower multiplies by repeated squaring, as linalg.matrix_power does.
func matrixPower(x *Tensor, n int) ([]*Tensor, error) {
	if err := checkSquare(x, "linalg.matrix_power"); err != nil {
		return nil, err
	}
	switch {
	case n == 0:
		power := x.Clone()
		if err := power.Copy_(Eye(x.sizes[len(x.sizes)-2], WithDType(x.dtype)).ExpandAs(power)); err != nil {
			return nil, err
		}
		return []*Tensor{power}, nil
	case n == 1:
		return single(x.Clone())
	case n < 0:
		outs, err := inverse(x)
		if err != nil || n == -1 {
			return outs, err
		}
		x = outs[0]
	}
	// The magnitude is unsigned because -n overflows for the smallest int.
	left := uint(n)
	if n < 0 {
		left = -left
	}
	if left == 3 {
		return single(x.Matmul(x).Matmul(x))
	}
	var square, power *Tensor
	for ; left > 0; left /= 2 {
		if square == nil {
			square = x
		} else {
			square = square.Matmul(square)
		}
		switch {
		case left%2 == 0:
		case power == nil:
			power = square
		default:
			power = power.Matmul(square)
		}
	}
	return single(power)
}

func matrixExp(x *Tensor) *Tensor {
	b := matricesOf(x)
	b.each(func(_ int, m blas64.General) {
		switch norm := blas64.Asum(blas64.Vector{N: len(m.Data), Inc: 1, Data: m.Data}); {
		case len(m.Data) == 1:
			m.Data[0] = math.Exp(m.Data[0])
			return
		case !finite(norm): // no power series converges
			for i := range m.Data {
				m.Data[i] = math.NaN()
			}
			return
		}
		var exp mat.Dense
		exp.Exp(mat.NewDense(m.Rows, m.Cols, append([]float64(nil), m.Data...)))
		copy(m.Data, exp.RawMatrix().Data)
	})
	return b.tensor(x.dtype, x.sizes, contiguousStrides(x.sizes))
}

// matrixExpDifferential returns the differential of the exponential at x in
// direction d: the upper right block of the exponential of [[x, d], [0, x]]
// (differential_analytic_matrix_function).
func matrixExpDifferential(x, d *Tensor) *Tensor {
	if d == nil {
		return nil
	}
	sizes, rank := append([]int(nil), x.sizes...), len(x.sizes)
	n := sizes[rank-1]
	sizes[rank-2], sizes[rank-1] = 2*n, 2*n
	blocks := filled(sizes, d.dtype, 0)
	for _, block := range []struct {
		row, column int
		value       *Tensor
	}{{0, 0, x}, {n, n, x}, {0, n, d}} {
		if err := blocks.Narrow(-2, block.row, n).Narrow(-1, block.column, n).Copy_(block.value); err != nil {
			return errTensor(err)
		}
	}
	return blocks.LinalgMatrixExp().Narrow(-2, 0, n).Narrow(-1, n, n)
}
